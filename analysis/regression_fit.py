"""A regression on a label and controls: statsmodels for labels as they are, for corrected ones
`design_based_supervised_learning`.

Where there is no result, `why_not` says which of its conditions is not met.
"""

import warnings

import numpy as np

from analysis.clusters import Clusters
from analysis.design_based_supervised_learning import CorrectedRegression, has_one_solution
from analysis.labels import Labels
from analysis.three_ways import Answer
from analysis.values import Values, Way, varies

TOO_FEW = "Undefined: there are too few items for so many controls, or they come from one cluster."
NOT_APART = (
    "Undefined: all items here have the code or none, or it cannot be told apart from what is held equal."
)
SAME_OUTCOME = "Undefined: all items here have the same outcome, so that odds have no ratio."
NO_ODDS = "Undefined: all items with the code, or all without it, have the same outcome, so that odds have no ratio."
NO_FIT = "Undefined: the regression has no solution; there may be too few items with the code."
NO_CORRECTED_FIT = (
    "Undefined: the corrected regression has no solution; there is too little gold, or in gold the code cannot be told"
    " apart from what is held equal."
)
# Odds a million million times as high are no finding but labels that all but separate the outcome.
_MOST_LOG_ODDS = 28.0


def fit(
    labels: Labels, controls: Values, outcome: Values, clusters: Clusters, way: Way, *, is_logistic: bool
) -> Answer | None:
    """The label's coefficient, by statsmodels where labels are as the model has them; None without a solution."""
    given = labels, controls, outcome, clusters
    if _lacks(*given, way, is_logistic):
        return None
    if way is Way.NAIVE:
        found = _by_statsmodels(_rows(labels.model, controls), outcome, clusters, is_logistic)
    else:
        found = CorrectedRegression(*given, is_logistic=is_logistic).answer(way)
    return None if found is None or (is_logistic and abs(found.value) > _MOST_LOG_ODDS) else found


def why_not(
    labels: Labels, controls: Values, outcome: Values, clusters: Clusters, way: Way, *, is_logistic: bool
) -> str:
    """Of a fit that has no result."""
    lacking = _lacks(labels, controls, outcome, clusters, way, is_logistic)
    return lacking or (NO_FIT if way is Way.NAIVE else NO_CORRECTED_FIT)


def _lacks(
    labels: Labels, controls: Values, outcome: Values, clusters: Clusters, way: Way, is_logistic: bool
) -> str:
    """What a regression on these labels needs and does not have; empty where all is there."""
    if way is Way.NAIVE:
        return _unmet(labels.model, controls, outcome, clusters.n, is_logistic)
    if is_logistic and not varies(outcome):
        return SAME_OUTCOME
    few = clusters.n_among(labels.at) < 2 or len(labels.at) <= controls.shape[1] + 1
    return NO_CORRECTED_FIT if few else ""


def _unmet(label: Values, controls: Values, outcome: Values, n_clusters: int, is_logistic: bool) -> str:
    x = _rows(label, controls)
    if n_clusters < 2 or len(x) <= x.shape[1]:
        return TOO_FEW
    if is_logistic and not varies(outcome):
        return SAME_OUTCOME
    if not has_one_solution(x.T @ x):
        return NOT_APART
    return NO_ODDS if is_logistic and not _overlaps(label, outcome) else ""


def _rows(label: Values, controls: Values) -> Values:
    return np.hstack([label[:, None], controls])


def _by_statsmodels(x: Values, outcome: Values, clusters: Clusters, is_logistic: bool) -> Answer | None:
    import statsmodels.api as sm  # takes long to load

    errors = {"cov_type": "cluster", "cov_kwds": {"groups": clusters.places}}
    with warnings.catch_warnings():
        # What statsmodels only warns of, such as a fit that did not converge, is no result.
        warnings.simplefilter("error")
        try:
            found = (
                sm.Logit(outcome, x).fit(disp=0, **errors)
                if is_logistic
                else sm.OLS(outcome, x).fit(method="qr", **errors)
            )
            covariance = np.asarray(found.cov_params(), dtype=np.float64)
        except (Warning, np.linalg.LinAlgError):
            return None
    return Answer(float(found.params[0]), float(np.sqrt(covariance[0, 0])), clusters.n - 1)


def _overlaps(label: Values, outcome: Values) -> bool:
    """Whether the outcome is both there and not, both with the code and without: else the odds have no ratio."""
    found, happened = label > 0.5, outcome > 0.5
    return all(np.any((found == f) & (happened == h)) for f in (True, False) for h in (True, False))
