"""Regressions on labels that a model gave, corrected with gold: design-based supervised learning.

A regression of T on x solves Σ s(x_i, T_i; β) = 0, with s = x (T - μ(xᵀβ)) and μ the identity or the logistic
function. With x̂ the row that has the model's label in it and x the one with gold, the moment is corrected as any
function of a label:

    Σ_i  s(x̂_i) + (R_i / π_i) (s(x_i) - s(x̂_i))  =  0

which has the right mean whatever the model's errors. Newton's method solves it, and with S_c its sum over cluster c
and H its derivative,

    Cov(β) = q H⁻¹ (Σ_c S_c S_cᵀ) H⁻¹,        q = C/(C - 1) · (n - 1)/(n - k)

as statsmodels has it. (Egami, Hinck, Stewart & Wei 2023, NeurIPS 36; Liang & Zeger 1986, Biometrika 73, 13–22.)
"""

from dataclasses import dataclass

import numpy as np

from analysis.clusters import Clusters
from analysis.labels import Labels
from analysis.values import Values

_MOST_STEPS, _CLOSE = 50, 1e-10
# Sums over a million rows are exact to about this part of the largest.
_SINGULAR = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Coefficients:
    """The label's coefficient is the first."""

    values: Values
    covariance: Values

    @property
    def label(self) -> tuple[float, float]:
        """Coefficient and standard error."""
        return float(self.values[0]), float(np.sqrt(self.covariance[0, 0]))


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Rows of the regression, each with the weight of its moment and its cluster."""

    x: Values
    outcome: Values
    weight: Values
    clusters: Clusters

    def parts(self, beta: Values, is_logistic: bool) -> tuple[Values, Values]:
        """Weighted residuals, and the derivative H."""
        fitted: Values = self.x @ beta
        slope: Values = np.ones(len(fitted))
        if is_logistic:
            fitted = 1 / (1 + np.exp(-np.clip(fitted, -500, 500)))
            slope = fitted * (1 - fitted)
        derivative: Values = self.x.T @ (self.x * (self.weight * slope)[:, None])
        return self.weight * (self.outcome - fitted), derivative

    def by_cluster(self, residual: Values) -> Values:
        sums = [
            np.bincount(self.clusters.places, column * residual, minlength=self.clusters.n)
            for column in self.x.T
        ]
        return np.stack(sums, axis=1)


def adjusted_fit(
    labels: Labels,
    controls: Values,
    outcome: Values,
    clusters: Clusters,
    *,
    is_logistic: bool,
    start: Values | None = None,
) -> Coefficients | None:
    """None where no solution is found, as with too little gold.

    Gold finds the model wrong on the last of six items, which therefore counts twice as one with the code and once
    less as one without: the means are (3 + 5 + 2 · 2) / 4 and (1 + 1 + 1 - 2) / 2.

    >>> gold = np.array([1.0, 1.0]), np.array([2.0, 2.0]), 4.0
    >>> labels = Labels(np.array([1.0, 1, 0, 0, 0, 0]), np.array([0, 5]), *gold)
    >>> outcome, items = np.array([3.0, 5, 1, 1, 1, 2]), Clusters(np.arange(6), 6)
    >>> found = adjusted_fit(labels, np.ones((6, 1)), outcome, items, is_logistic=False)
    >>> found.values.round(4).tolist()
    [2.5, 0.5]
    """
    x = np.hstack([labels.model[:, None], controls])
    weight, extra = np.ones(len(x)), labels.answered_weight
    weight[labels.at] -= extra
    gold_x = np.hstack([labels.gold[:, None], controls[labels.at]])
    gold_clusters = Clusters(clusters.places[labels.at], clusters.n)
    parts = (_Rows(x, outcome, weight, clusters), _Rows(gold_x, outcome[labels.at], extra, gold_clusters))
    beta = np.zeros(x.shape[1]) if start is None else start.copy()
    for _ in range(_MOST_STEPS):
        moved = _newton_step(parts, beta, is_logistic)
        if moved is None:
            return None
        beta += moved
        if np.abs(moved).max() < _CLOSE:
            covariance = _covariance(parts, beta, is_logistic)
            return None if covariance is None else Coefficients(beta, covariance)
    return None


def _newton_step(parts: tuple[_Rows, ...], beta: Values, is_logistic: bool) -> Values | None:
    both = [part.parts(beta, is_logistic) for part in parts]
    score = sum(
        (part.x.T @ residual for part, (residual, _) in zip(parts, both, strict=True)), np.zeros(len(beta))
    )
    derivative = both[0][1] + both[1][1]
    if not has_one_solution(derivative):
        return None
    return np.asarray(np.linalg.solve(derivative, score), dtype=np.float64)


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


def _covariance(parts: tuple[_Rows, ...], beta: Values, is_logistic: bool) -> Values | None:
    both = [part.parts(beta, is_logistic) for part in parts]
    if not has_one_solution(both[0][1] + both[1][1]):
        return None
    sums = parts[0].by_cluster(both[0][0]) + parts[1].by_cluster(both[1][0])
    bread = np.linalg.inv(both[0][1] + both[1][1])
    n, (n_clusters, k) = len(parts[0].x), sums.shape
    correction = n_clusters / (n_clusters - 1) * (n - 1) / (n - k)
    return np.asarray(correction * bread @ (sums.T @ sums) @ bread, dtype=np.float64)
