"""Compares a first decision with the second one that was made without knowing it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import mean

from django.db.models import Exists, OuterRef

from annotation.agreement.measure import measure_ratings
from annotation.agreement.ratings import ratings_table
from annotation.agreement.values import MeasurementLevel
from annotation.answers import Answers, ItemText
from annotation.compare_answers import OneSide, disputed_codes, evidence_match
from annotation.stored_answers import read_answers
from backend.core.studies.models import Study
from backend.decide.adjudication.memory import Fingerprint, LruCache, fingerprint
from backend.decide.adjudication.models import Decision, DecisionRound
from codebook.schema import Codebook


def side_of(answers: Answers) -> OneSide:
    return OneSide({judgment.code_id: judgment.value for judgment in answers.judgments}, answers.spans)


def differences(codebook: Codebook, text: ItemText, one: Answers, other: Answers) -> dict[str, float | None]:
    """By code: None where the values differ, else how well the words match where they are not the same.

    Both decisions stay as they are, so this is worked out once; what counts as another answer is for the threshold to
    say. Under two editions, only codes that both have can differ.
    """
    sides = [side_of(one), side_of(other)]
    disputed = set(disputed_codes(sides, [code.id for _, code in codebook.coded_questions()]))
    found: dict[str, float | None] = {}
    for question, code in codebook.coded_questions():
        match = evidence_match(text.text_of(question.part) or "", code.id, question, sides)
        if code.id in disputed:
            found[code.id] = None
        elif match < 1:
            found[code.id] = match
    return found


@dataclass(frozen=True, slots=True)
class RoundsAgreement:
    """How well the second decisions match the first ones; `share` and `kappa` are None before there are any.

    `kappa` is the mean over codes of Cohen's kappa between the rounds, of those codes where it is defined.
    """

    items: int
    codes: int
    equal: int
    kappa: float | None

    @property
    def share(self) -> float | None:
        return self.equal / self.codes if self.codes else None


_memories: LruCache[int, tuple[Fingerprint, RoundsAgreement]] = LruCache()


def rounds_agreement(study: Study) -> RoundsAgreement:
    """Over the codes that both rounds judged, evidence aside."""
    now = fingerprint(Decision.objects.filter(item__study=study))
    known = _memories.recall(study.pk)
    if known is None or known[0] != now:
        known = now, _agreement(study)
        _memories.keep(study.pk, known)
    return known[1]


def _agreement(study: Study) -> RoundsAgreement:
    pairs: dict[str, list[tuple[int, int]]] = defaultdict(list)
    items = 0
    for one, other in _decided_twice(study):
        items += 1
        for code in one.keys() & other.keys():
            pairs[code].append((one[code], other[code]))
    return RoundsAgreement(
        items=items,
        codes=sum(len(values) for values in pairs.values()),
        equal=sum(one == other for values in pairs.values() for one, other in values),
        kappa=_mean_kappa(pairs.values()),
    )


def _decided_twice(study: Study) -> Iterator[tuple[Mapping[str, int], Mapping[str, int]]]:
    """The values of both decisions, of all items whose first and second stand."""
    last: dict[int, dict[int, object]] = defaultdict(dict)
    second = Decision.objects.filter(item=OuterRef("item"), decision_round=DecisionRound.SECOND)
    rows = Decision.objects.filter(Exists(second), item__study=study).exclude(
        decision_round=DecisionRound.RECONCILING
    )
    for item, decision_round, answers in rows.order_by("number").values_list(
        "item_id", "decision_round", "answers"
    ):
        last[item][decision_round] = answers
    for answers in last.values():
        both = [answers.get(decision_round) for decision_round in (DecisionRound.FIRST, DecisionRound.SECOND)]
        if None not in both:
            one, other = (side_of(read_answers(stored)).values for stored in both)
            yield one, other


def _mean_kappa(by_code: Iterable[list[tuple[int, int]]]) -> float | None:
    kappas = [
        measure_ratings(ratings_table(values), level=MeasurementLevel.NOMINAL, resamples=1, seed=0)[
            "cohen_kappa_mean"
        ].value
        for values in by_code
    ]
    defined = [kappa for kappa in kappas if kappa is not None]
    return mean(defined) if defined else None
