"""Model labels beside gold: what every estimate is made of, in whichever way.

With Ŷ what a model says of an item that it did not see in training, Y gold, R whether the item was drawn for gold
and π the known probability of that, the items with gold, weighted by R/π, stand for all. `power_tuning` says how gold
and model are put together. (Egami, Hinck, Stewart & Wei 2023, “Using imperfect surrogates for downstream inference:
design-based supervised learning”, NeurIPS 36; Särndal, Swensson & Wretman 1992, Model Assisted Survey Sampling, ch. 6.)

Where gold was asked for and an item has none for a code, as after a tie, the drawn items that have one stand for it
too: they are taken to be like the others.
"""

from dataclasses import dataclass

import numpy as np

from analysis.errors import GoldMissing, NotTicks
from analysis.labelled import LabelledCorpus
from analysis.values import Places, Values, Way
from learning.learning_curves.gold_weights import effective_number

# With less effective gold, or less of it with the rarer answer, corrected intervals hold what is so in clearly less
# than 95 of 100 cases: what `benchmarks/effective_gold.py` finds.
LEAST_GOLD, LEAST_RARE = 50, 10


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """`model` has a number for each item; item `at[j]` has gold `gold[j]` and stands for `weight[j]` items, as 1 of
    the probability of having been drawn; naive labels have no gold."""

    model: Values
    at: Places
    gold: Values
    weight: Values

    def __len__(self) -> int:
        return len(self.model)

    def effective_gold(self, among: Places | None = None) -> float:
        """How many gold labels with equal weights would say as much (Kish); `among` has the places in `at` that count.

        >>> labels = Labels(np.zeros(3), np.array([0, 1, 2]), np.zeros(3), np.array([1.0, 1.0, 10.0]))
        >>> round(labels.effective_gold(), 2), labels.effective_gold(np.array([0, 1]))
        (1.41, 2.0)
        """
        return effective_number((self.weight if among is None else self.weight[among]).tolist())

    def rare_share(self) -> float:
        """Of all items, those with another answer than the commonest, by the model: gold that happens to have many of a
        rare code would else get an interval because it is off. Of a model that says the same of all, by gold.

        >>> gold = np.array([0]), np.array([1.0]), np.array([4.0])
        >>> [Labels(np.array([0.0, said, 0, 1]), *gold).rare_share() for said in (0, 0.5)]
        [0.25, 0.375]
        """
        if self.has_ticks:
            share = float(self.model.mean())
            if 0 < share < 1:
                return min(share, 1 - share)
        for values, weight in ((np.rint(self.model), np.ones(len(self.model))), (self.gold, self.weight)):
            if share := _apart_from_commonest(values, weight):
                return share
        return 0.0

    @property
    def has_ticks(self) -> bool:
        """Whether gold has but 0 and 1, and the model nothing beyond."""
        in_gold = bool(((self.gold == 0) | (self.gold == 1)).all())
        return in_gold and bool(self.model.min() >= 0 and self.model.max() <= 1)


def count_rare(gold: Values, weight: Values) -> float:
    """How many effective gold labels have another answer than the commonest.

    >>> count_rare(np.array([0.0, 0, 0, 1]), np.ones(4))
    1.0
    """
    return effective_number(weight.tolist()) * _apart_from_commonest(gold, weight)


def _apart_from_commonest(values: Values, weight: Values) -> float:
    found, places = np.unique(values, return_inverse=True)
    return float(1 - np.bincount(places, weight).max() / weight.sum()) if len(found) > 1 else 0.0


def naive(values: Values) -> Labels:
    nothing = np.empty(0)
    return Labels(values, np.empty(0, dtype=np.int64), nothing, nothing)


def labels_of(corpus: LabelledCorpus, code: str, way: Way) -> Labels:
    """Raises GoldMissing and its kin where gold is asked for and cannot be had."""
    if way is Way.NAIVE:
        return naive(corpus.model(code))
    at, gold = corpus.gold(code)
    drawn = corpus.drawn()
    kept = np.isin(at, drawn)
    at, gold = at[kept], gold[kept]
    if not len(at):
        raise GoldMissing(code)
    weight = corpus.draw_weights(drawn)
    return Labels(corpus.surrogate(code), at, gold, weight[np.searchsorted(drawn, at)])


def labels_here(part: LabelledCorpus, code: str, way: Way) -> Labels:
    """Of a part of a corpus that has gold elsewhere: where there is none here, so have the labels."""
    try:
        return labels_of(part, code, way)
    except GoldMissing:
        return naive(part.model(code))


def ticks_of(corpus: LabelledCorpus, code: str, way: Way) -> Labels:
    """Labels that are 0 or 1, of which there are shares. Raises NotTicks where they are not."""
    return _check(labels_of(corpus, code, way), code)


def ticks_here(part: LabelledCorpus, code: str, way: Way) -> Labels:
    return _check(labels_here(part, code, way), code)


def _check(labels: Labels, code: str) -> Labels:
    """Where there is gold, what stands for the label elsewhere may be a probability."""
    of_model = labels.model
    is_sound = (
        of_model.min() >= 0 and of_model.max() <= 1 if len(labels.at) else np.isin(of_model, (0, 1)).all()
    )
    if not (is_sound and np.isin(labels.gold, (0, 1)).all()):
        raise NotTicks(code)
    return labels


def check_gold(corpus: LabelledCorpus, way: Way) -> None:
    """Raises where gold is asked for and a code has none at all, or gold without its probability."""
    if way is not Way.NAIVE:
        for code in corpus.codes:
            labels_of(corpus, code, way)
