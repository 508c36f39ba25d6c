"""One gold answer: its reasons, typed on the way in and on the way out, and how it is stored if it is sound and new."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

import msgspec

from annotation.answer_checks import answer_problems, problem, reason_problems
from annotation.answers import Answers, ItemText, canonical_answers
from annotation.problems import Problem, ProblemKind
from annotation.stored_answers import stored_answers
from backend.annotate.practice.errors import ForeignEdition, GoldRefused, GoldUnreadable
from backend.annotate.practice.models import GoldAnswer
from backend.core.accounts.models import User
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from codebook.schema import Codebook


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why the answers are right, by code id, and what else annotators should know of the item."""

    by_code: dict[str, str] = field(default_factory=dict)
    remark: str = ""


class _Reasons(msgspec.Struct, forbid_unknown_fields=True):
    codes: dict[str, str] = {}
    remark: str = ""


def stored_reasons(reasons: Reasons) -> object:
    return msgspec.to_builtins(_Reasons(codes=reasons.by_code, remark=reasons.remark))


def read_reasons(stored: object) -> Reasons:
    try:
        read = msgspec.convert(stored, _Reasons)
    except msgspec.ValidationError as error:
        raise GoldUnreadable(f"The stored reasons cannot be read ({error}): write them again.") from error
    return Reasons(read.codes, read.remark)


def gold_problems(
    codebook: Codebook, item: ItemText, answers: Answers, reasons: Reasons
) -> tuple[Problem, ...]:
    """Everything that is wrong, in codebook order; `subject` is the code it is about."""
    return tuple(_problems(codebook, item, answers, reasons))


def _problems(codebook: Codebook, item: ItemText, answers: Answers, reasons: Reasons) -> Iterator[Problem]:
    yield from answer_problems(codebook, item, answers, also_named=reasons.by_code)
    if answers.flag is not None:
        message = "A gold answer is sure: take the flag away, or leave the item out of practice."
        yield problem(ProblemKind.CONTRADICTION, "", message)
    for subject, text in [*reasons.by_code.items(), ("", reasons.remark)]:
        yield from reason_problems(subject, text)


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
