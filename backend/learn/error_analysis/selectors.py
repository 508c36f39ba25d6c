"""What pages and calls read about a model's errors: the errors themselves come from files, their tags from rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

from django.db.models import Max, QuerySet

from analysis.error_analysis import CodeErrors, ModelError, errors_by_code
from analysis.error_tags import ErrorTag
from annotation.release.rows import ReleaseRow, SplitPart
from backend.annotate.batches.blindness import hidden_items
from backend.core.accounts.models import User
from backend.decide.releases.selectors import codebook_in, rows_of
from backend.learn.error_analysis.errors import NothingMeasured
from backend.learn.error_analysis.models import ErrorMark
from backend.learn.models.errors import NoPredictions
from backend.learn.models.models import Adapter
from codebook.schema import Codebook
from learning.predictions.files import PredictionsUnreadable, predictions_file, read_predictions
from learning.scoring.cases import NotMeasurable

ErrorKey = tuple[str, str]
Tags = Mapping[ErrorKey, Set[ErrorTag]]
# It learned from the train part, where it hardly errs.
PARTS = (SplitPart.VALIDATION, SplitPart.TEST)


@dataclass(frozen=True, slots=True)
class Errors:
    """Of an adapter on one part of its release; `rows` are those of that part, by item."""

    adapter: Adapter
    part: SplitPart
    codebook: Codebook
    codes: tuple[CodeErrors, ...]
    rows: Mapping[str, ReleaseRow]

    def error_on(self, item_id: str, code: str) -> ModelError | None:
        return next((each for each in self.all() if (each.item_id, each.code) == (item_id, code)), None)

    def all(self) -> Iterable[ModelError]:
        return (error for code in self.codes for error in code.errors)


def errors_of(adapter: Adapter, part: SplitPart, viewer: User | None = None) -> Errors:
    """Those of items whose labels the viewer may read. Raises what says why there are none to look at."""
    path = adapter.measured / predictions_file(part)
    codebook = codebook_in(adapter.release)
    if not path.exists():
        raise NoPredictions(adapter.name, part.value)
    rows = [row for row in rows_of(adapter.release, viewer) if row.split is part]
    try:
        codes = errors_by_code(rows, read_predictions(path, codebook), codebook, part_of_split=part)
    except (PredictionsUnreadable, NotMeasurable) as problem:
        raise NothingMeasured(str(problem)) from problem
    return Errors(adapter, part, codebook, codes, {row.item.item_id: row for row in rows})


def latest_marks(adapter: Adapter) -> QuerySet[ErrorMark]:
    """The last step of each tag on each error, be it put or taken off."""
    marks = ErrorMark.objects.filter(adapter=adapter)
    newest = marks.values("item", "code", "tag").annotate(newest=Max("pk")).values("newest")
    return marks.filter(pk__in=newest).select_related("item", "author")


def tags_of(adapter: Adapter) -> Tags:
    """Those that stand, by item and code."""
    found: defaultdict[ErrorKey, set[ErrorTag]] = defaultdict(set)
    for item_id, code, tag in (
        latest_marks(adapter).filter(is_put=True).values_list("item__item_id", "code", "tag")
    ):
        found[item_id, code].add(ErrorTag(tag))
    return dict(found)


def history_of(adapter: Adapter, viewer: User | None = None) -> QuerySet[ErrorMark]:
    """Newest first."""
    marks = ErrorMark.objects.filter(adapter=adapter).exclude(item__in=hidden_items(viewer, adapter.study))
    return marks.select_related("item", "author").order_by("-pk")
