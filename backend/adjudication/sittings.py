"""Compares a first decision with the second one that was made without knowing it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from annotation.answers import Answers
from annotation.stored_answers import read_answers
from backend.adjudication.models import Decision, Sitting, Way


@dataclass(frozen=True, slots=True)
class DecidedTwice:
    item_pk: int
    first: Decision
    second: Decision

    @property
    def answers(self) -> tuple[Answers, Answers]:
        return read_answers(self.first.answers), read_answers(self.second.answers)


def decided_twice(item_pks: Iterable[int]) -> list[DecidedTwice]:
    """Of these items, those whose first and second decision both stand."""
    last: dict[int, dict[int, Decision]] = defaultdict(dict)
    rows = Decision.objects.filter(item__in=list(item_pks)).exclude(sitting=Sitting.RECONCILING)
    for row in rows.select_related("author").order_by("item", "sitting", "number"):
        last[row.item_id][row.sitting] = row
    return [
        DecidedTwice(pk, by_sitting[Sitting.FIRST], by_sitting[Sitting.SECOND])
        for pk, by_sitting in last.items()
        if len(by_sitting) == 2 and all(row.way != Way.UNDONE for row in by_sitting.values())
    ]


def differing_codes(one: Answers, other: Answers) -> tuple[str, ...]:
    """The codes that both answer, and answer differently: under two editions, those that both have."""
    values = {judgment.code_id: judgment.value for judgment in other.judgments}
    return tuple(
        judgment.code_id
        for judgment in one.judgments
        if values.get(judgment.code_id, judgment.value) != judgment.value
    )


def differing_items(item_pks: Iterable[int]) -> set[int]:
    """Items on which the two sittings do not agree, so that they have to be reconciled."""
    pks = list(item_pks)
    return (
        {twice.item_pk for twice in decided_twice(pks) if differing_codes(*twice.answers)} if pks else set()
    )
