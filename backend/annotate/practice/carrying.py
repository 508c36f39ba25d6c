"""Copies gold answers from an earlier edition of the codebook to a later one, as far as it still asks the same."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from annotation.answers import Answers
from annotation.problems import Problem
from backend.annotate.practice.errors import GoldRefused, NoGold
from backend.annotate.practice.gold import Reasons, store_gold
from backend.annotate.practice.models import GoldAnswer
from backend.annotate.practice.selectors import Gold, latest_older_gold, older_gold_of, read_gold
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.models import Item
from codebook.schema import Codebook


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """Gold that the new edition asks more of, and what."""

    item: Item
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class CarriedOver:
    items: int
    left: tuple[LeftBehind, ...]


@transaction.atomic
def carry_over(*, item: Item, edition: Edition, actor: User, now: datetime) -> GoldAnswer:
    """Copies the newest earlier gold to this edition; GoldRefused says what the codebook now asks beyond it."""
    older = older_gold_of(item, edition)
    if older is None:
        raise NoGold
    gold = carried_gold(older, codebook_of(edition))
    row, _ = store_gold(item, edition, gold.answers, gold.reasons, actor, now)
    summary = f"Carried the gold answer of item {item} over to edition {edition.number}"
    record_event(study=item.study, actor=actor, summary=summary, now=now)
    return row


@transaction.atomic
def carry_over_all(*, study: Study, edition: Edition, actor: User, now: datetime) -> CarriedOver:
    """Copies what can be copied; what cannot is left to the form, with the reasons."""
    left, done = [], 0
    for older in latest_older_gold(study, edition):
        gold = carried_gold(older, codebook_of(edition))
        try:
            store_gold(older.item, edition, gold.answers, gold.reasons, actor, now)
            done += 1
        except GoldRefused as refusal:
            left.append(LeftBehind(older.item, refusal.problems))
    if done:
        summary = f"Carried gold answers over to edition {edition.number}: {done}"
        record_event(study=study, actor=actor, summary=summary, now=now)
    return CarriedOver(done, tuple(left))


def carried_gold(older: GoldAnswer, codebook: Codebook) -> Gold:
    """Codes that are no longer asked stay behind with their edition; new ones are nobody's to guess."""
    gold = read_gold(older)
    known = {code.id for _, code in codebook.coded_questions()}
    answers = Answers(
        tuple(judgment for judgment in gold.answers.judgments if judgment.code_id in known),
        tuple(span for span in gold.answers.spans if span.code_id in known),
        None,
    )
    by_code = {code: why for code, why in gold.reasons.by_code.items() if code in known}
    return Gold(answers, Reasons(by_code, gold.reasons.remark))
