"""Compares a first decision with the second one that was made without knowing it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import mean

from annotation.agreement.measure import measure_ratings
from annotation.agreement.ratings import ratings_table
from annotation.agreement.values import MeasurementLevel
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
    """How well the second decisions match the first ones; `share` and `kappa` are None before there are any.

    `kappa` is the mean over codes of Cohen's kappa between the sittings, of those codes where it is defined.
    """

    items: int
    codes: int
    equal: int
    kappa: float | None

    @property
    def share(self) -> float | None:
        return self.equal / self.codes if self.codes else None


def sittings_agreement(study: Study) -> SittingsAgreement:
    """Over the codes that both sittings judged, evidence aside."""
    pks = Decision.objects.filter(item__study=study, sitting=Sitting.SECOND).values_list("item_id", flat=True)
    found = decided_twice(set(pks))
    pairs: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for twice in found:
        one, other = (side_of(answers).values for answers in twice.answers)
        for code in one.keys() & other.keys():
            pairs[code].append((one[code], other[code]))
    return SittingsAgreement(
        items=len(found),
        codes=sum(len(values) for values in pairs.values()),
        equal=sum(one == other for values in pairs.values() for one, other in values),
        kappa=_mean_kappa(pairs.values()),
    )


def _mean_kappa(by_code: Iterable[list[tuple[int, int]]]) -> float | None:
    kappas = [
        measure_ratings(
            ratings_table(values), level=MeasurementLevel.NOMINAL, resamples=1, seed=0
        ).cohen_kappa_mean.value
        for values in by_code
    ]
    defined = [kappa for kappa in kappas if kappa is not None]
    return mean(defined) if defined else None
