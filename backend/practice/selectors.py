"""What pages, batches and calls read about gold answers."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet

from annotation.answers import Answers
from backend.codebooks.models import Edition
from backend.codebooks.selectors import latest_edition
from backend.practice.errors import NoCodebook
from backend.practice.gold import Reasons, read_answers, read_reasons
from backend.practice.models import GoldAnswer
from backend.samples.models import Draw, Item, Sample
from backend.studies.models import Study


@dataclass(frozen=True, slots=True)
class Gold:
    """A gold answer, read."""

    answers: Answers
    reasons: Reasons


def edition_in_force(study: Study) -> Edition:
    edition = latest_edition(study)
    if edition is None:
        raise NoCodebook
    return edition


def gold_of(item: Item, edition: Edition) -> Answers | None:
    found = GoldAnswer.objects.filter(item=item, edition=edition).first()
    return read_answers(found.answers) if found else None


def reasons_of(item: Item, edition: Edition) -> Reasons | None:
    found = GoldAnswer.objects.filter(item=item, edition=edition).first()
    return read_reasons(found.reasons) if found else None


def read_gold(row: GoldAnswer) -> Gold:
    return Gold(read_answers(row.answers), read_reasons(row.reasons))


def items_with_gold(study: Study, edition: Edition) -> QuerySet[Item]:
    """In an order that does not depend on when their gold was written."""
    return study.items.filter(gold_answers__edition=edition).order_by("item_id")


def gold_rows(study: Study, edition: Edition) -> QuerySet[GoldAnswer]:
    """Newest first."""
    rows = GoldAnswer.objects.filter(item__study=study, edition=edition)
    return rows.select_related("item", "written_by").order_by("-written_at", "-pk")


def latest_older_gold(study: Study, edition: Edition) -> list[GoldAnswer]:
    """For each item without gold under this edition, the gold of the newest earlier edition that has some."""
    here = GoldAnswer.objects.filter(item=OuterRef("item"), edition=edition)
    older = (
        GoldAnswer.objects.filter(item__study=study, edition__number__lt=edition.number)
        .filter(~Exists(here))
        .select_related("item", "edition", "written_by")
        .order_by("item__item_id", "-edition__number")
    )
    newest: dict[int, GoldAnswer] = {}
    for row in older:
        newest.setdefault(row.item_id, row)
    return list(newest.values())


def older_gold_of(item: Item, edition: Edition) -> GoldAnswer | None:
    older = item.gold_answers.filter(edition__number__lt=edition.number).select_related("edition")
    return older.order_by("-edition__number").first()


def draws_without_gold(sample: Sample, edition: Edition) -> QuerySet[Draw]:
    """Items of a sample that could be given gold."""
    there = GoldAnswer.objects.filter(item=OuterRef("item"), edition=edition)
    return sample.draws.filter(~Exists(there)).select_related("item").order_by("position")
