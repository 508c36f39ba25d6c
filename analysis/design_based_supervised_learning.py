"""Regressions on labels that a model gave, put right with gold: design-based supervised learning with power tuning.

A regression of T on x solves Σ s(x_i, T_i; β) = 0, with s = x (T - μ(xᵀβ)) and μ the identity or the logistic
function. With x̂ the row that has the model's label in it and x the one with gold, and w_i how many items a gold label
stands for (Σ w = n), the moment is corrected as any function of a label:

    λ Σ_i s(x̂_i)  +  Σ_{i in gold} w_i (s(x_i) - λ s(x̂_i))  =  0

which has the right mean whatever the model's errors and λ: 0 is the weighted regression on gold alone, 1 takes the
model at its word. Newton's method solves it. With H its derivative, the label's coefficient is moved by cluster c by
the first element of a_c - λ g_c,

    a_c = H⁻¹ Σ_{i in c} w_i s(x_i),        g_c = H⁻¹ Σ_{i in c} (w_i s(x̂_i) - s(x̂_i)),  each s less its mean,

from which `power_tuning` has λ and the error. (Egami, Hinck, Stewart & Wei 2023, NeurIPS 36; Angelopoulos, Duchi &
Zrnic 2023, arXiv 2311.01453; Liang & Zeger 1986, Biometrika 73, 13–22.)
"""

from dataclasses import dataclass

import numpy as np

from analysis.clusters import Clusters
from analysis.labels import Labels, count_rare
from analysis.power_tuning import Gap, GoldAlone, tune, unseen_errors
from analysis.three_ways import LEAST_DF, Answer
from analysis.values import Places, Values, Way

_MOST_STEPS, _CLOSE = 50, 1e-10
# Sums over a million rows are exact to about this part of the largest.
_SINGULAR = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Rows of the regression, each with its weight."""

    x: Values
    outcome: Values
    weight: Values

    def fitted(self, beta: Values, is_logistic: bool) -> Values:
        linear: Values = self.x @ beta
        return 1 / (1 + np.exp(-np.clip(linear, -500, 500))) if is_logistic else linear

    def residual(self, beta: Values, is_logistic: bool) -> Values:
        return self.weight * (self.outcome - self.fitted(beta, is_logistic))

    def derivative(self, beta: Values, is_logistic: bool) -> Values:
        found: Values = self.x.T @ (self.x * self._slope(beta, is_logistic)[:, None])
        return found

    def leverage(self, beta: Values, bread: Values, is_logistic: bool) -> Values:
        """How much of its own fit each row is."""
        own: Values = np.einsum("ij,jk,ik->i", self.x, bread, self.x)
        return own * self._slope(beta, is_logistic)

    def _slope(self, beta: Values, is_logistic: bool) -> Values:
        if not is_logistic:
            return self.weight
        fitted = self.fitted(beta, is_logistic)
        return self.weight * fitted * (1 - fitted)

    def times(self, factor: float) -> "_Rows":
        return _Rows(self.x, self.outcome, self.weight * factor)


class CorrectedRegression:
    """A regression of an outcome on a label, which is the first column, and controls."""

    def __init__(
        self, labels: Labels, controls: Values, outcome: Values, clusters: Clusters, *, is_logistic: bool
    ) -> None:
        self._labels, self._clusters, self._is_logistic = labels, clusters, is_logistic
        at = labels.at
        self._rare = count_rare(labels.gold, labels.weight)
        self._places_of_gold = clusters.places[at]
        x = np.hstack([labels.model[:, None], controls])
        weight = labels.weight * (len(x) / float(labels.weight.sum()))
        of_gold = np.hstack([labels.gold[:, None], controls[at]])
        self._all = _Rows(x, outcome, np.ones(len(x)))
        self._gold = _Rows(of_gold, outcome[at], weight)
        # What the model says of the items with gold
        self._on_gold = _Rows(x[at], outcome[at], weight)

    def solve(self, weight: float, start: Values | None = None) -> Values | None:
        """The coefficients with this λ; None where no solution is found, as with too little gold.

        Gold finds the model wrong on the last of six items, which stands for three: the means are (3 + 5 + 3 · 2) / 5
        and (1 + 1 + 1 + 2 - 3 · 2) / 1.

        >>> gold = np.array([1.0, 1.0]), np.array([3.0, 3.0])
        >>> labels = Labels(np.array([1.0, 1, 0, 0, 0, 0]), np.array([0, 5]), *gold)
        >>> outcome, items = np.array([3.0, 5, 1, 1, 1, 2]), Clusters(np.arange(6), 6)
        >>> regression = CorrectedRegression(labels, np.ones((6, 1)), outcome, items, is_logistic=False)
        >>> regression.solve(1.0).round(4).tolist()
        [3.8, -1.0]
        """
        kinds = self._kinds(weight)
        beta = np.zeros(self._gold.x.shape[1]) if start is None else start.copy()
        for _ in range(_MOST_STEPS):
            moved = _newton_step(kinds, beta, self._is_logistic)
            if moved is None:
                return None
            beta += moved
            if np.abs(moved).max() < _CLOSE:
                return beta
        return None

    def answer(self, way: Way) -> Answer | None:
        """The label's coefficient from gold alone, or corrected."""
        weight, beta = 0.0, self.solve(0.0)
        if beta is None and way is Way.CORRECTED:
            # As where gold has no outcome of one kind in a community, of which the model knows more
            weight, beta = 1.0, self.solve(1.0)
        found = None if beta is None else self._moves_by_cluster(beta, weight)
        if beta is None or found is None:
            return None
        gold, gap = found
        if way is Way.GOLD:
            return self._as_answer(gold.value, gold.variance, 0.0)
        one_more = gold.variance / max(self._rare, 0.5)
        tuned = tune(gold, gap, unseen_errors(self._labels.model) * one_more)
        solved = self.solve(tuned.weight, beta)
        if solved is None:
            return None
        return self._as_answer(float(solved[0]), gold.variance * tuned.ratio, tuned.weight)

    def _as_answer(self, value: float, variance: float, weight: float) -> Answer | None:
        n_clusters = self._clusters.n_among(self._labels.at)
        if n_clusters < 2:
            return None
        df = max(min(n_clusters, self._rare) - 1, LEAST_DF)
        return Answer(value, float(np.sqrt(variance)), df, weight)

    def _kinds(self, weight: float) -> tuple[_Rows, ...]:
        if not weight:
            return (self._gold,)
        return self._all.times(weight), self._gold, self._on_gold.times(-weight)

    def _moves_by_cluster(self, beta: Values, weight: float) -> tuple[GoldAlone, Gap] | None:
        """By how much each cluster moves the coefficient of the label, through gold and through the model."""
        derivative = _derivative(self._kinds(weight), beta, self._is_logistic)
        if not has_one_solution(derivative):
            return None
        bread: Values = np.linalg.inv(derivative).astype(np.float64)
        by_gold = self._by_cluster(self._gold, beta, bread[0], self._places_of_gold)
        on_gold = self._by_cluster(self._on_gold, beta, bread[0], self._places_of_gold)
        by_model = self._by_cluster(self._all, beta, bread[0], self._clusters.places)
        own = self._gold.leverage(beta, bread, self._is_logistic)
        leverage = np.bincount(self._places_of_gold, own, minlength=self._clusters.n).astype(np.float64)
        return GoldAlone(float(beta[0]), by_gold, leverage), Gap(0.0, on_gold - by_model)

    def _by_cluster(self, rows: _Rows, beta: Values, bread: Values, places: Places) -> Values:
        moved = rows.residual(beta, self._is_logistic) * (rows.x @ bread)
        moved -= rows.weight * float(moved.sum() / rows.weight.sum())
        return np.bincount(places, moved, minlength=self._clusters.n).astype(np.float64, copy=False)


def _newton_step(kinds: tuple[_Rows, ...], beta: Values, is_logistic: bool) -> Values | None:
    score = np.sum([kind.x.T @ kind.residual(beta, is_logistic) for kind in kinds], axis=0)
    derivative = _derivative(kinds, beta, is_logistic)
    if not has_one_solution(derivative):
        return None
    return np.asarray(np.linalg.solve(derivative, score), dtype=np.float64)


def _derivative(kinds: tuple[_Rows, ...], beta: Values, is_logistic: bool) -> Values:
    return np.asarray(
        np.sum([kind.derivative(beta, is_logistic) for kind in kinds], axis=0), dtype=np.float64
    )


def has_one_solution(derivative: Values) -> bool:
    """Whether it is positive definite by more than rounding: below that, a solution would be made of rounding alone.

    >>> label, ones = np.array([1.0, 1, 1]), np.ones(3)
    >>> x = np.stack([label, ones], axis=1)
    >>> has_one_solution(x.T @ x), has_one_solution(x[:, :1].T @ x[:, :1])
    (False, True)
    """
    if not np.isfinite(derivative).all():
        return False
    eigenvalues = np.linalg.eigvalsh(derivative)
    return bool(eigenvalues.min() > eigenvalues.max() * _SINGULAR)
