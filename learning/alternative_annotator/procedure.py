"""The alternative-annotator test (alt-test): may a model take the place of an annotator?

Each annotator j in turn is set against the model f. On each item i that j labelled with at least one other, both labels
are scored by how well they agree with the labels of the others, j left out:

    W_f = 1{S(f) ≥ S(j)}        W_h = 1{S(j) ≥ S(f)}        d = W_h - W_f

A tie counts for both. The model wins against j if H0: mean(d) ≥ ε is rejected, where ε says how much worse than an
annotator a model may be because it costs less: .2 for experts, .15 for skilled annotators, .1 for crowd workers. The
test is a t-test on 30 items or more, else Wilcoxon's signed-rank test. p-values are adjusted over the annotators by
Benjamini and Yekutieli, who assume nothing of how tests depend on each other: with p_(1) ≤ … ≤ p_(m) and
H_m = 1 + 1/2 + … + 1/m they are

    min_{k ≥ i} min(1, (m H_m / k) p_(k))

The winning rate ω is the share of annotators that the model wins against, and the model passes if ω ≥ .5. The average
advantage probability rho is the mean over annotators of mean(W_f): how probable it is that the model is as good as an
annotator or better. (Calderon, Reichart and Dror 2025, ACL, arXiv 2501.10970; Benjamini and Yekutieli 2001, Annals of
Statistics 29, 1165–1188.)

Items of one post are not independent. With `clusters` the variance of mean(d) is that of sums over clusters,
G/(G - 1) Σ_g (Σ_{i∈g} (d_i - mean(d)))² / n², and t has G - 1 degrees of freedom. (Liang and Zeger 1986.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from annotation.agreement.bootstrap import Values

LEAST_ITEMS = 30
FALSE_DISCOVERY_RATE = 0.05
PASSING_RATE = 0.5

Label = TypeVar("Label")
# How well a label agrees with the labels of others: the higher the better.
Score = Callable[[Label, Sequence[Label]], float]


@dataclass(frozen=True, slots=True)
class AnnotatorTest:
    """The model against one annotator on `n` items; `advantage` is mean(W_f), `disadvantage` mean(W_h), and `rejected`
    the decision after the adjustment: the model wins. `n_clusters` is `n` where items are taken for independent."""

    annotator: str
    n: int
    n_clusters: int
    advantage: float
    disadvantage: float
    p: float
    p_adjusted: float
    rejected: bool


@dataclass(frozen=True, slots=True)
class AltTest:
    """`left_out` are annotators with too few items, and how many they have. `n_dropped` items have fewer than two
    annotators or no label of the model."""

    epsilon: float
    tested: tuple[AnnotatorTest, ...]
    left_out: tuple[tuple[str, int], ...]
    n_items: int
    n_dropped: int

    @property
    def winning_rate(self) -> float | None:
        return _mean([float(each.rejected) for each in self.tested])

    @property
    def advantage_probability(self) -> float | None:
        return _mean([each.advantage for each in self.tested])

    @property
    def passes(self) -> bool | None:
        """None where nobody was tested."""
        rate = self.winning_rate
        return None if rate is None else rate >= PASSING_RATE


def alt_test(
    annotations: Mapping[str, Mapping[str, Label]],
    model: Mapping[str, Label],
    score: Score[Label],
    *,
    epsilon: float,
    clusters: Mapping[str, str] | None = None,
    q: float = FALSE_DISCOVERY_RATE,
    least_items: int = LEAST_ITEMS,
) -> AltTest:
    """`annotations` and `model` are by item, the former by annotator too. `clusters` names the post of each item.

    >>> agrees = lambda label, others: sum(label == other for other in others) / len(others)
    >>> said = {str(item): {"Ada": "yes", "Ben": "yes", "Cleo": "no"} for item in range(40)}
    >>> found = alt_test(said, dict.fromkeys(said, "yes"), agrees, epsilon=0.1)
    >>> [(each.annotator, each.advantage, each.rejected) for each in found.tested]
    [('Ada', 1.0, True), ('Ben', 1.0, True), ('Cleo', 1.0, True)]
    >>> found.winning_rate, found.advantage_probability, found.passes
    (1.0, 1.0, True)
    """
    kept = {item: by for item, by in annotations.items() if len(by) > 1 and item in model}
    outcomes: dict[str, dict[str, tuple[bool, bool]]] = {
        name: {} for by in annotations.values() for name in by
    }
    for item, by in kept.items():
        for name, label in by.items():
            others = [other for who, other in by.items() if who != name]
            of_model, of_annotator = score(model[item], others), score(label, others)
            outcomes[name][item] = (of_model >= of_annotator, of_annotator >= of_model)
    tested = {name: won for name, won in outcomes.items() if len(won) >= max(least_items, 2)}
    found = [_against(name, won, epsilon, clusters) for name, won in tested.items()]
    adjusted = benjamini_yekutieli([each.p for each in found])
    return AltTest(
        epsilon=epsilon,
        tested=tuple(
            AnnotatorTest(
                each.annotator, each.n, each.n_clusters, each.advantage, each.disadvantage, each.p, p, p <= q
            )
            for each, p in zip(found, adjusted, strict=True)
        ),
        left_out=tuple((name, len(won)) for name, won in outcomes.items() if name not in tested),
        n_items=len(kept),
        n_dropped=len(annotations) - len(kept),
    )


@dataclass(frozen=True, slots=True)
class AltTests:
    """`clustered` is the second line, which takes items of a post for dependent; None without posts."""

    by_item: AltTest
    clustered: AltTest | None

    @property
    def passes(self) -> bool | None:
        """By the second line where there is one: items taken for independent make the test too sure."""
        return (self.clustered or self.by_item).passes


def both_lines(
    annotations: Mapping[str, Mapping[str, Label]],
    model: Mapping[str, Label],
    score: Score[Label],
    *,
    epsilon: float,
    clusters: Mapping[str, str] | None,
    least_items: int = LEAST_ITEMS,
) -> AltTests:
    """The test on items, and on the posts that they belong to if that is known."""
    by_item = alt_test(annotations, model, score, epsilon=epsilon, least_items=least_items)
    if clusters is None:
        return AltTests(by_item, None)
    return AltTests(
        by_item,
        alt_test(annotations, model, score, epsilon=epsilon, clusters=clusters, least_items=least_items),
    )


@dataclass(frozen=True, slots=True)
class _Against:
    annotator: str
    n: int
    n_clusters: int
    advantage: float
    disadvantage: float
    p: float


def _against(
    name: str, won: Mapping[str, tuple[bool, bool]], epsilon: float, clusters: Mapping[str, str] | None
) -> _Against:
    wins = np.array(list(won.values()), dtype=np.float64)
    d = wins[:, 1] - wins[:, 0]
    places = None if clusters is None else np.unique([clusters[item] for item in won], return_inverse=True)[1]
    n_clusters = len(d) if places is None else int(places.max()) + 1
    p = not_worse_p(d, epsilon, places)
    return _Against(name, len(d), n_clusters, float(wins[:, 0].mean()), float(wins[:, 1].mean()), p)


def not_worse_p(
    d: Values, epsilon: float, places: np.ndarray[tuple[int, ...], np.dtype[np.int64]] | None
) -> float:
    """One-sided, of H0: mean(d) ≥ ε; `places` say which cluster each value belongs to.

    >>> round(not_worse_p(np.array([0.0] * 30 + [1.0] * 2), 0.2, None), 5)  # t = (0.0625 - 0.2) / 0.043476, 31 df
    0.00174
    >>> not_worse_p(np.zeros(30), 0.2, None), not_worse_p(np.ones(30), 0.2, None)
    (0.0, 1.0)
    """
    if places is None and len(d) < LEAST_ITEMS:
        return _signed_rank_p(d, epsilon)
    from scipy.special import stdtr  # takes long to load

    parts = d - d.mean()
    sums = parts if places is None else np.bincount(places, weights=parts)
    n_units, distance = len(sums), float(d.mean()) - epsilon
    error = 0.0 if n_units < 2 else math.sqrt(n_units / (n_units - 1) * float(sums @ sums)) / len(d)
    if n_units < 2:
        return 1.0
    if error == 0:
        return 0.0 if distance < 0 else 1.0
    return float(stdtr(n_units - 1, distance / error))


def _signed_rank_p(d: Values, epsilon: float) -> float:
    """
    >>> round(_signed_rank_p(np.array([-1.0] * 5), 0.0), 5)  # all five below: 1 / 2⁵
    0.03125
    """
    from scipy.stats import wilcoxon  # takes long to load

    return float(wilcoxon(d - epsilon, alternative="less").pvalue)


def benjamini_yekutieli(p_values: Sequence[float]) -> tuple[float, ...]:
    """
    >>> [round(p, 4) for p in benjamini_yekutieli([0.01, 0.04, 0.03])]  # H_3 = 11/6
    [0.055, 0.0733, 0.0733]
    """
    m = len(p_values)
    harmonic = sum(1 / k for k in range(1, m + 1))
    adjusted, least = [1.0] * m, 1.0
    order = sorted(range(m), key=p_values.__getitem__)
    for rank in range(m, 0, -1):
        least = min(least, m * harmonic / rank * p_values[order[rank - 1]])
        adjusted[order[rank - 1]] = least
    return tuple(adjusted)


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
