"""What pages, calls and services read about tests: which were made, and what a new one could rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
from django.db.models import QuerySet
from django.http import Http404

from annotation.release.rows import ReleaseRow, SplitPart
from backend.core.studies.models import Study
from backend.decide.releases.models import Release
from backend.decide.releases.selectors import codebook_in, rows_of
from backend.learn.alternative_annotator.models import AlternativeTest, LabelColumns
from backend.learn.models.hooks import kept_predictions
from backend.learn.models.models import Adapter
from learning.adapters.folder import AdapterBroken, read_seen
from learning.alternative_annotator.releases import UsableItems, is_overlap, usable_items
from learning.predictions.files import PredictionsUnreadable, predictions_file, read_predictions
from learning.predictions.rows import ItemPrediction

Alternative = Adapter | LabelColumns


def tests_of(study: Study) -> QuerySet[AlternativeTest]:
    """Newest first."""
    return study.alternative_tests.select_related("adapter", "columns", "release", "created_by", "study")


def tests_of_alternative(alternative: Alternative) -> QuerySet[AlternativeTest]:
    """Newest first."""
    found = tests_of(alternative.study)
    if isinstance(alternative, Adapter):
        return found.filter(adapter=alternative)
    return found.filter(columns=alternative)


def newest_tests(study: Study) -> list[AlternativeTest]:
    """One of each adapter and imported column, those of adapters first."""
    newest: dict[tuple[bool, int], AlternativeTest] = {}
    for test in tests_of(study):
        newest.setdefault((test.adapter is None, test.alternative.number), test)
    return [newest[key] for key in sorted(newest)]


def test_numbered(study: Study, number: int) -> AlternativeTest:
    found = tests_of(study).filter(number=number).first()
    if found is None:
        raise Http404(f"This study has no test {number}.")
    return found


def columns_numbered(study: Study, number: int) -> LabelColumns:
    found = study.label_columns.select_related("edition", "study", "created_by").filter(number=number).first()
    if found is None:
        raise Http404(f"This study has no imported labels {number}.")
    return found


def releases_for(alternative: Alternative) -> list[Release]:
    """Those of its edition, newest first, but before all the one that it learned from, whose test part it predicted."""
    found = list(alternative.study.releases.filter(edition=alternative.edition).select_related("study"))
    own = alternative.release_id if isinstance(alternative, Adapter) else None
    return sorted(found, key=lambda release: release.pk != own)


@dataclass(frozen=True, slots=True)
class Basis:
    """What a test rests on."""

    items: UsableItems
    predictions: Mapping[str, ItemPrediction]


def basis_of(alternative: Alternative, release: Release) -> Basis:
    rows = list(rows_of(release))
    if isinstance(alternative, LabelColumns):
        predictions = _imported_predictions(alternative)
        learned = {
            row.item.item_id for row in rows if alternative.has_learned and row.split is not SplitPart.TEST
        }
        return _basis(rows, rows, predictions, learned)
    learned = _seen_items(alternative)
    own = rows if release.pk == alternative.release_id else [*rows, *rows_of(alternative.release)]
    return _basis(rows, own, _said_by(alternative, rows, learned), learned)


def _basis(
    rows: list[ReleaseRow],
    learned_rows: list[ReleaseRow],
    predictions: dict[str, ItemPrediction],
    learned: set[str],
) -> Basis:
    posts = {row.item.post for row in learned_rows if row.item.item_id in learned}
    items = usable_items(rows, predictions.keys(), learned=learned, learned_posts=posts)
    return Basis(items, predictions)


def _imported_predictions(columns: LabelColumns) -> dict[str, ItemPrediction]:
    found = msgspec.json.decode(columns.labels, type=tuple[ItemPrediction, ...])
    return {each.item_id: each for each in found}


def _seen_items(adapter: Adapter) -> set[str]:
    """All of its release, if nobody can tell any more what it learned from."""
    try:
        return set(read_seen(adapter.folder).all())
    except AdapterBroken:
        return {row.item.item_id for row in rows_of(adapter.release)}


def _said_by(adapter: Adapter, rows: list[ReleaseRow], learned: set[str]) -> dict[str, ItemPrediction]:
    """What was kept when it was measured, and when it was asked for the suggestions of a batch, blind ones too."""
    path = adapter.measured / predictions_file(SplitPart.TEST)
    try:
        measured = read_predictions(path, codebook_in(adapter.release)) if path.exists() else ()
    except PredictionsUnreadable:
        measured = ()
    found = {each.item_id: each for each in measured}
    known = found.keys() | learned
    missing = {
        row.item.item_id
        for row in rows
        if is_overlap(row) and not row.item.suggested_by and row.item.item_id not in known
    }
    for item in adapter.study.items.filter(item_id__in=missing):
        for lookup in kept_predictions.functions():
            said = lookup(adapter, item)
            if said is not None:
                found[item.item_id] = said
    return found
