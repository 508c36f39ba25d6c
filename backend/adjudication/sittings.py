"""Compares a first decision with the second one that was made without knowing it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from annotation.answers import Answers
from annotation.side_by_side import OneSide, disputed_codes
from annotation.stored_answers import read_answers
from backend.adjudication.models import Decision, Sitting, Way
from backend.adjudication.summaries import differing_evidence
from backend.codebooks.selectors import codebook_of
from backend.samples.selectors import item_text
from backend.studies.models import Study


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
    for row in rows.select_related("author", "edition", "item").order_by("item", "sitting", "number"):
        last[row.item_id][row.sitting] = row
    return [
        DecidedTwice(pk, by_sitting[Sitting.FIRST], by_sitting[Sitting.SECOND])
        for pk, by_sitting in last.items()
        if len(by_sitting) == 2 and all(row.way != Way.UNDONE for row in by_sitting.values())
    ]


def side_of(answers: Answers) -> OneSide:
    return OneSide({judgment.code_id: judgment.value for judgment in answers.judgments}, answers.spans)


def differing_codes(twice: DecidedTwice, threshold: float) -> tuple[str, ...]:
    """Codes whose value or whose words differ. Under two editions, only codes that both have can do so."""
    codebook = codebook_of(twice.first.edition)
    sides = [side_of(answers) for answers in twice.answers]
    values = disputed_codes(sides, [code.id for _, code in codebook.coded_questions()])
    words = differing_evidence(codebook, item_text(twice.first.item), sides, threshold)
    return tuple(dict.fromkeys([*values, *words]))


def differing_items(item_pks: Iterable[int], threshold: float) -> dict[int, tuple[str, ...]]:
    """By item: on which codes the two sittings do not agree, so that they have to be reconciled."""
    pks = list(item_pks)
    found = {twice.item_pk: differing_codes(twice, threshold) for twice in decided_twice(pks)} if pks else {}
    return {pk: codes for pk, codes in found.items() if codes}


@dataclass(frozen=True, slots=True)
class SittingsAgreement:
    """How well the second decisions match the first ones; `share` is None before there are any."""

    items: int
    codes: int
    equal: int

    @property
    def share(self) -> float | None:
        return self.equal / self.codes if self.codes else None


def sittings_agreement(study: Study) -> SittingsAgreement:
    """Over the codes that both sittings judged, evidence aside."""
    pks = Decision.objects.filter(item__study=study, sitting=Sitting.SECOND).values_list("item_id", flat=True)
    items = codes = equal = 0
    for twice in decided_twice(set(pks)):
        one, other = (side_of(answers).values for answers in twice.answers)
        items += 1
        codes += len(one.keys() & other.keys())
        equal += sum(other[code] == value for code, value in one.items() if code in other)
    return SittingsAgreement(items, codes, equal)
