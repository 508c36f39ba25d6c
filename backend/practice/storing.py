"""Puts one gold answer into the database, if it is sound and if it says anything new."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from annotation.answers import Answers, canonical_answers
from backend.accounts.models import User
from backend.codebooks.models import Edition
from backend.codebooks.selectors import codebook_of
from backend.practice.checking import gold_problems
from backend.practice.errors import ForeignEdition, GoldRefused
from backend.practice.gold import Reasons, stored_answers, stored_reasons
from backend.practice.models import GoldAnswer
from backend.samples.models import Item
from backend.samples.selectors import item_text


class Outcome(StrEnum):
    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


def store_gold(
    item: Item, edition: Edition, answers: Answers, reasons: Reasons, actor: User, now: datetime
) -> tuple[GoldAnswer, Outcome]:
    """Raises GoldRefused with every problem; what stands already keeps its writer and its time."""
    if edition.study_id != item.study_id:
        raise ForeignEdition
    codebook, text = codebook_of(edition), item_text(item)
    problems = gold_problems(codebook, text, answers, reasons)
    if problems:
        raise GoldRefused(problems)
    values = {judgment.code_id: judgment.value for judgment in answers.judgments}
    ordered = canonical_answers(codebook, text, values, answers.spans, None)
    content = {"answers": stored_answers(ordered), "reasons": stored_reasons(reasons)}
    there = GoldAnswer.objects.filter(item=item, edition=edition).first()
    if there is not None and {"answers": there.answers, "reasons": there.reasons} == content:
        return there, Outcome.UNCHANGED
    row, created = GoldAnswer.objects.update_or_create(
        item=item, edition=edition, defaults=content | {"written_by": actor, "written_at": now}
    )
    return row, Outcome.ADDED if created else Outcome.CHANGED
