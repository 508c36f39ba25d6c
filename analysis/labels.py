"""Model labels beside gold, and the pseudo-outcome that corrects the one by the other.

With Ŷ what a model says of an item that it did not see in training, Y gold, R whether the item was drawn for gold
and π the known probability of that, the pseudo-outcome

    Ỹ = Ŷ + (R / π) (Y - Ŷ)

is Y on average over draws whatever the errors of the model are, since E[R] = π. So is f(Ŷ) + (R / π) (f(Y) - f(Ŷ))
for f(Y): means, products, and what is made of them stay right. (Egami, Hinck, Stewart & Wei 2023, “Using imperfect
surrogates for downstream inference: design-based supervised learning”, NeurIPS 36; the difference estimator of
Särndal, Swensson & Wretman 1992, Model Assisted Survey Sampling, ch. 6.)

Where gold was asked for and an item has none for a code, as after a tie, π is multiplied by the weighted share of drawn
items that have one: they are taken to be like the others.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from analysis.errors import GoldMissing, NotTicks
from analysis.labelled import LabelledCorpus
from analysis.values import Places, Values, Way
from learning.learning_curves.gold_weights import effective_number

# With less effective gold, or less of it with the rarer answer, corrected intervals hold what is so in clearly less
# than 95 of 100 cases: what `benchmarks/effective_gold.py` finds.
LEAST_GOLD, LEAST_RARE = 50, 10


class Surrogate(StrEnum):
    """What stands for the label where there is no gold; any is right once corrected, the better one is more exact."""

    DECISION = "model"
    PROBABILITY = "probability"


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """`model` has a number for each item; item `at[j]` has gold `gold[j]` and was drawn with probability 1/weight[j].

    `asked` is the sum of 1/π over all items of which gold was asked; naive labels have no gold.
    """

    model: Values
    at: Places
    gold: Values
    weight: Values
    asked: float

    def __len__(self) -> int:
        return len(self.model)

    @property
    def answered_weight(self) -> Values:
        """R/π of the items with gold, more where others have none."""
        total = float(self.weight.sum())
        return self.weight * (self.asked / total) if total else self.weight

    def effective_gold(self, among: Places | None = None) -> float:
        """How many gold labels with equal weights would say as much (Kish); `among` has the places in `at` that count.

        >>> labels = Labels(np.zeros(3), np.array([0, 1, 2]), np.zeros(3), np.array([1.0, 1.0, 10.0]), 12.0)
        >>> round(labels.effective_gold(), 2), labels.effective_gold(np.array([0, 1]))
        (1.41, 2.0)
        """
        return effective_number((self.weight if among is None else self.weight[among]).tolist())

    def rare_share(self) -> float:
        """Of all items, those with another answer than the commonest, by the model: gold that happens to have many of a
        rare code would else get an interval because it is off. Of a model that says the same of all, by gold.

        >>> gold = np.array([0]), np.array([1.0]), np.array([4.0]), 4.0
        >>> Labels(np.array([0.0, 0, 0, 1]), *gold).rare_share()
        0.25
        """
        for values, weight in ((self.model, np.ones(len(self.model))), (self.gold, self.weight)):
            found, places = np.unique(values, return_inverse=True)
            if len(found) > 1:
                return float(1 - np.bincount(places, weight).max() / weight.sum())
        return 0.0

    def pseudo_outcomes(self) -> Values:
        """
        >>> labels = Labels(np.array([1.0, 0.0, 1.0]), np.array([2]), np.array([0.0]), np.array([4.0]), 4.0)
        >>> labels.pseudo_outcomes().tolist()  # 1 + 4 · (0 - 1)
        [1.0, 0.0, -3.0]
        """
        if not len(self.at):
            return self.model
        found = self.model.copy()
        found[self.at] += self.answered_weight * (self.gold - self.model[self.at])
        return found

    def made_into(self, function: Callable[[Values], Values]) -> "Labels":
        """The same for a function of the label, such as its square."""
        return Labels(function(self.model), self.at, function(self.gold), self.weight, self.asked)


def naive(values: Values) -> Labels:
    nothing = np.empty(0)
    return Labels(values, np.empty(0, dtype=np.int64), nothing, nothing, 0.0)


def labels_of(
    corpus: LabelledCorpus, code: str, way: Way, *, surrogate: Surrogate = Surrogate.DECISION
) -> Labels:
    """Raises GoldMissing and its kin where a correction is asked for and cannot be had."""
    use_decision = way is Way.NAIVE or surrogate is Surrogate.DECISION
    model = corpus.model(code) if use_decision else corpus.probability(code)
    if way is Way.NAIVE:
        return naive(model)
    at, gold = corpus.gold(code)
    drawn = corpus.drawn()
    kept = np.isin(at, drawn)
    at, gold = at[kept], gold[kept]
    if not len(at):
        raise GoldMissing(code)
    weight = corpus.draw_weights(drawn)
    return Labels(model, at, gold, weight[np.searchsorted(drawn, at)], float(weight.sum()))


def labels_here(
    part: LabelledCorpus, code: str, way: Way, *, surrogate: Surrogate = Surrogate.DECISION
) -> Labels:
    """Of a part of a corpus that has gold elsewhere: where there is none here, so have the labels."""
    try:
        return labels_of(part, code, way, surrogate=surrogate)
    except GoldMissing:
        return naive(part.model(code))


def ticks_of(
    corpus: LabelledCorpus, code: str, way: Way, *, surrogate: Surrogate = Surrogate.DECISION
) -> Labels:
    """Labels that are 0 or 1, of which there are shares. Raises NotTicks where they are not."""
    return _check(labels_of(corpus, code, way, surrogate=surrogate), code, surrogate)


def ticks_here(
    part: LabelledCorpus, code: str, way: Way, *, surrogate: Surrogate = Surrogate.DECISION
) -> Labels:
    return _check(labels_here(part, code, way, surrogate=surrogate), code, surrogate)


def _check(labels: Labels, code: str, surrogate: Surrogate) -> Labels:
    is_probability = surrogate is Surrogate.PROBABILITY and len(labels.at)
    for values in (labels.gold,) if is_probability else (labels.gold, labels.model):
        if not ((values == 0) | (values == 1)).all():
            raise NotTicks(code)
    return labels


def check_gold(corpus: LabelledCorpus, way: Way) -> None:
    """Raises where a correction is asked for and a code has no gold at all, or gold without its probability."""
    if way is Way.CORRECTED:
        for code in corpus.codes:
            labels_of(corpus, code, way)


def product(one: Labels, other: Labels) -> Labels:
    """Of two labels of the same items; gold where both have it.

    >>> one = Labels(np.array([1.0, 1.0]), np.array([0, 1]), np.array([1.0, 0.0]), np.array([2.0, 2.0]), 4.0)
    >>> other = Labels(np.array([1.0, 0.0]), np.array([1]), np.array([1.0]), np.array([2.0]), 4.0)
    >>> both = product(one, other)
    >>> both.model.tolist(), both.at.tolist(), both.gold.tolist(), both.answered_weight.tolist()
    ([1.0, 0.0], [1], [0.0], [4.0])
    """
    at, mine, theirs = np.intersect1d(one.at, other.at, assume_unique=True, return_indices=True)
    gold = one.gold[mine] * other.gold[theirs]
    return Labels(one.model * other.model, at, gold, one.weight[mine], one.asked)
