"""A regression on a label and controls: statsmodels for labels as they are, for corrected ones
`design_based_supervised_learning`.

Where there is no result, `why_not` says which of its conditions is not met.
"""

import warnings

import numpy as np

from analysis.clusters import Clusters
from analysis.design_based_supervised_learning import Coefficients, adjusted_fit, has_one_solution
from analysis.labels import Labels
from analysis.values import Values, varies

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
    labels: Labels, controls: Values, outcome: Values, clusters: Clusters, *, is_logistic: bool
) -> Coefficients | None:
    """By statsmodels, then corrected from there where there is gold; None where there is no solution."""
    naive = None
    if not _unmet(labels, controls, outcome, clusters, is_logistic):
        naive = _by_statsmodels(_rows(labels, controls), outcome, clusters, is_logistic)
    found = naive
    if naive is not None and len(labels.at):
        found = adjusted_fit(labels, controls, outcome, clusters, is_logistic=is_logistic, start=naive.values)
    if found is None or (is_logistic and abs(found.label[0]) > _MOST_LOG_ODDS):
        return None
    return found


def why_not(
    labels: Labels, controls: Values, outcome: Values, clusters: Clusters, *, is_logistic: bool
) -> str:
    """Of a fit that has no result."""
    unmet = _unmet(labels, controls, outcome, clusters, is_logistic)
    return unmet or (NO_CORRECTED_FIT if len(labels.at) else NO_FIT)


def _unmet(labels: Labels, controls: Values, outcome: Values, clusters: Clusters, is_logistic: bool) -> str:
    """What a regression on the model's labels needs and does not have; empty where all is there."""
    x = _rows(labels, controls)
    if clusters.n < 2 or len(x) <= x.shape[1]:
        return TOO_FEW
    if is_logistic and not varies(outcome):
        return SAME_OUTCOME
    if not has_one_solution(x.T @ x):
        return NOT_APART
    return NO_ODDS if is_logistic and not _overlaps(labels.model, outcome) else ""


def _rows(labels: Labels, controls: Values) -> Values:
    return np.hstack([labels.model[:, None], controls])


def _by_statsmodels(x: Values, outcome: Values, clusters: Clusters, is_logistic: bool) -> Coefficients | None:
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
    return Coefficients(np.asarray(found.params, dtype=np.float64), covariance)


def _overlaps(label: Values, outcome: Values) -> bool:
    """Whether the outcome is both there and not, both with the code and without: else the odds have no ratio."""
    found, happened = label > 0.5, outcome > 0.5
    return all(np.any((found == f) & (happened == h)) for f in (True, False) for h in (True, False))
