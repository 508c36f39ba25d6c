"""What pages, batches and calls read about gold answers."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404

from annotation.answers import Answers
from annotation.stored_answers import read_answers
from backend.annotate.batches.blindness import hidden_items
from backend.annotate.practice.gold import Reasons, read_reasons
from backend.annotate.practice.models import GoldAnswer
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.design.codebooks.models import Edition
from backend.design.samples.models import Draw, Item, Sample


@dataclass(frozen=True, slots=True)
class Gold:
    """A gold answer, read."""

    answers: Answers
    reasons: Reasons


def current_gold(item: Item, edition: Edition) -> GoldAnswer | None:
    rows = GoldAnswer.objects.current().filter(item=item, edition=edition)
    return rows.select_related("written_by").first()


def gold_history(item: Item, edition: Edition) -> QuerySet[GoldAnswer]:
    """What stood before, latest first."""
    past = GoldAnswer.objects.filter(item=item, edition=edition, replaced_at__isnull=False)
    return past.select_related("written_by", "replaced_by").order_by("-replaced_at", "-pk")


def past_gold(item: Item, gold_id: int) -> GoldAnswer:
    past = GoldAnswer.objects.filter(item=item, replaced_at__isnull=False, pk=gold_id)
    found = past.select_related("item__study", "edition").first()
    if found is None:
        raise Http404("This item has no such gold in its history.")
    return found


def read_gold(row: GoldAnswer) -> Gold:
    return Gold(read_answers(row.answers), read_reasons(row.reasons))


def gold_rows(study: Study, edition: Edition, viewer: User | None = None) -> QuerySet[GoldAnswer]:
    """Newest first; of what the viewer may read."""
    rows = GoldAnswer.objects.current().filter(item__study=study, edition=edition)
    rows = rows.exclude(item__in=hidden_items(viewer, study))
    return rows.select_related("item", "written_by").order_by("-written_at", "-pk")


def latest_older_gold(study: Study, edition: Edition, viewer: User | None = None) -> list[GoldAnswer]:
    """For each item without gold under this edition, the gold of the newest earlier edition that has some."""
    here = GoldAnswer.objects.current().filter(item=OuterRef("item"), edition=edition)
    older = (
        GoldAnswer.objects.current()
        .filter(item__study=study, edition__number__lt=edition.number)
        .filter(~Exists(here))
        .exclude(item__in=hidden_items(viewer, study))
        .select_related("item", "edition", "written_by")
        .order_by("item__item_id", "-edition__number")
    )
    newest: dict[int, GoldAnswer] = {}
    for row in older:
        newest.setdefault(row.item_id, row)
    return list(newest.values())


def older_gold_of(item: Item, edition: Edition) -> GoldAnswer | None:
    older = GoldAnswer.objects.current().filter(item=item, edition__number__lt=edition.number)
    return older.select_related("edition").order_by("-edition__number").first()


def draws_without_gold(sample: Sample, edition: Edition) -> QuerySet[Draw]:
    """Items of a sample that could be given gold."""
    there = GoldAnswer.objects.current().filter(item=OuterRef("item"), edition=edition)
    return sample.draws.filter(~Exists(there)).select_related("item").order_by("position")
