"""Reads the savings meter: trains the fast learner again and again on random labels and on the study's mix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from codebook.editions import codebook_from_canonical
from codebook.questions import model_questions
from learning.learning_curves.gold_weights import effective_number
from learning.learning_curves.meter import MeterReading
from learning.learning_curves.savings import Savings, savings
from learning.learning_curves.stopping import StoppingAdvice, stopping_advice
from learning.learning_curves.study_labels import LabelledItem, StudyLabels
from learning.learning_curves.trials import (
    Places,
    Sizes,
    TooFewForCurve,
    TooFewLabels,
    Trial,
    sizes_for,
    sizes_of_all,
    trial,
)
from ml_backend.curves.bench import Bench
from ml_backend.curves.features import Latent
from ml_backend.examples import Example, Target, labelled_questions
from ml_backend.learners.interface import Report
from ml_backend.learners.scores import Numbers

FEWEST_TRIALS = 5


class NothingMeasured(ValueError):
    def __init__(self) -> None:
        super().__init__(
            "Hardly any trial had labels to measure with: items that were shown with suggestions may not measure, and "
            "a theme with one answer alone does not. Annotate more without suggestions."
        )


@dataclass(frozen=True, slots=True)
class MeterSettings:
    """Advice is on the next `n_next` labels, and on whether they add at least `worthwhile`. `look` is which reading of
    its series this is."""

    n_trials: int
    seed: int
    n_next: int
    worthwhile: float
    look: int = 1


def measure_savings(labels: StudyLabels, settings: MeterSettings, report: Report) -> MeterReading:
    """The same labels and settings give the same reading."""
    gold = [item.gold_weight for item in labels.items if item.gold_weight > 0]
    n_random = sum(item.is_random for item in labels.items)
    found = _Meter(labels, settings, report)
    with threadpool_limits(1):
        gained, why_not_gained = found.savings()
        advice, why_no_advice = found.advice()
    return MeterReading(
        learner=Latent.name,
        n_items=len(labels.items),
        n_random=n_random,
        n_chosen=len(labels.items) - n_random,
        n_gold=len(gold),
        n_effective=effective_number(gold),
        n_codes=len(found.bench.questions) if found.bench else 0,
        n_trials=settings.n_trials,
        seed=settings.seed,
        savings=gained,
        savings_reason=why_not_gained,
        advice=advice,
        advice_reason=why_no_advice,
        look=settings.look,
    )


class _Meter:
    def __init__(self, labels: StudyLabels, settings: MeterSettings, report: Report) -> None:
        self._items, self._settings, self._report = labels.items, settings, report
        self._is_random = np.array([item.is_random for item in labels.items], dtype=bool)
        self._posts = [item.post for item in labels.items]
        self._weights = np.array([item.gold_weight for item in labels.items])
        self._curve: tuple[Sequence[int], Numbers] | None = None
        self.bench = _bench(labels) if labels.items else None

    def savings(self) -> tuple[Savings | None, str]:
        try:
            sizes = sizes_for(int(self._is_random.sum()), int((~self._is_random).sum()))
        except TooFewLabels as problem:
            return None, str(problem)
        random, mixed = self._both_strategies(sizes)
        self._curve = (sizes.mixed, mixed)
        return savings(sizes, random, mixed, look=self._settings.look), ""

    def advice(self) -> tuple[StoppingAdvice | None, str]:
        """On the curve of the mix, which is there already if savings could be measured."""
        n = len(self._items)
        if self._curve is None:
            try:
                sizes = sizes_of_all(n)
            except TooFewForCurve as problem:
                return None, str(problem)
            scores = [[self._score(one, one.mixed, size) for size in sizes] for one in self._trials()]
            self._curve = (sizes, _drop_undefined(np.array(scores)))
        found = stopping_advice(
            *self._curve,
            n_labels=n,
            n_next=self._settings.n_next,
            worthwhile=self._settings.worthwhile,
            look=self._settings.look,
        )
        return found, ""

    def _both_strategies(self, sizes: Sizes) -> tuple[Numbers, Numbers]:
        rows = []
        for one in self._trials():
            rows.append(
                [self._score(one, one.random, one.number(size, sizes)) for size in sizes.random]
                + [self._score(one, one.mixed, one.number(size, sizes)) for size in sizes.mixed]
            )
        scores = _drop_undefined(np.array(rows))
        return scores[:, : len(sizes.random)], scores[:, len(sizes.random) :]

    def _trials(self) -> Iterator[Trial]:
        """The same ones whatever they are for."""
        rng = np.random.default_rng(self._settings.seed)
        for number in range(1, self._settings.n_trials + 1):
            self._report(f"Trial {number} of {self._settings.n_trials}")
            yield trial(self._is_random, self._posts, rng)

    def _score(self, one: Trial, order: Places, n: int) -> float:
        if self.bench is None:
            return float("nan")
        weights = np.zeros(len(self._items))
        weights[one.test] = self._weights[one.test]
        return self.bench.mean_score(self.bench.fit(order[:n]), weights)


def _drop_undefined(scores: Numbers) -> Numbers:
    """Without trials whose test items decide no code. Raises NothingMeasured if hardly any is left."""
    kept = scores[~np.isnan(scores).any(axis=1)]
    if len(kept) < FEWEST_TRIALS:
        raise NothingMeasured
    return kept


def _bench(labels: StudyLabels) -> Bench:
    examples = [_example(item) for item in labels.items]
    codebook = codebook_from_canonical(labels.codebook)
    return Bench(examples, labelled_questions(model_questions(codebook), examples), Latent())


def _example(item: LabelledItem) -> Example:
    answers = item.answers.items()
    return Example(item.text, {code: Target(one.value, one.weight, one.marks) for code, one in answers})
