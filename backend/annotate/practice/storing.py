"""Puts one gold answer into the database, if it is sound and if it says anything new."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from annotation.answers import Answers, canonical_answers
from annotation.stored_answers import stored_answers
from backend.annotate.practice.errors import ForeignEdition, GoldRefused
from backend.annotate.practice.gold import Reasons, gold_problems, stored_reasons
from backend.annotate.practice.models import GoldAnswer
from backend.core.accounts.models import User
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text


class Outcome(StrEnum):
    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


def store_gold(
    item: Item, edition: Edition, answers: Answers, reasons: Reasons, actor: User, now: datetime
) -> tuple[GoldAnswer, Outcome]:
    """Raises GoldRefused with every problem; what stands already keeps its writer and its time.

    Needs a transaction: what stood before becomes history together with the writing of the new.
    """
    if edition.study_id != item.study_id:
        raise ForeignEdition
    codebook, text = codebook_of(edition), item_text(item)
    problems = gold_problems(codebook, text, answers, reasons)
    if problems:
        raise GoldRefused(problems)
    values = {judgment.code_id: judgment.value for judgment in answers.judgments}
    ordered = canonical_answers(codebook, text, values, answers.spans, None)
    content = {"answers": stored_answers(ordered), "reasons": stored_reasons(reasons)}
    there = held_gold(item, edition)
    if there is not None and {"answers": there.answers, "reasons": there.reasons} == content:
        return there, Outcome.UNCHANGED
    if there is not None:
        retire_gold(there, actor, now)
    row = GoldAnswer.objects.create(item=item, edition=edition, written_by=actor, written_at=now, **content)
    return row, Outcome.ADDED if there is None else Outcome.CHANGED


def held_gold(item: Item, edition: Edition) -> GoldAnswer | None:
    """What stands; two who write at once wait for each other at the item."""
    Item.objects.select_for_update(no_key=True).get(pk=item.pk)
    return GoldAnswer.objects.current().filter(item=item, edition=edition).first()


def retire_gold(row: GoldAnswer, actor: User, now: datetime) -> None:
    row.replaced_at, row.replaced_by = now, actor
    row.save(update_fields=["replaced_at", "replaced_by"])
