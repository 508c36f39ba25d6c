"""How often annotators would be right, were all of them asked about the same items."""

import numpy as np
from numpy.typing import NDArray

from annotation.consensus.values import Votes
from annotation.consensus.votes import vote_counts

# How far annotators are expected to lie apart, in log odds; and on how many points hardness is integrated.
_ANNOTATORS, _POINTS = 3.0, 9
# Where a fit begins: people are right more often than not.
_SKILLED = 1.5


def adjusted_accuracy(votes: Votes) -> NDArray[np.float64]:
    r"""A Rasch model where nobody knows what is right (G. Rasch, "Probabilistic Models for Some Intelligence and
    Attainment Tests", 1960; with the truth unknown, J. Whitehill and others, NIPS 2009): annotator a gives item i its
    true label with

        P(right) = 1/K + (1 - 1/K) / (1 + exp(b_i - θ_a)),   b_i ~ N(0, s²),

    and else one of the other K - 1 labels, all as probable: on the hardest items people guess.
    By marginal maximum likelihood (R. D. Bock, M. Aitkin,
    Psychometrika 46, 1981): the true label, as frequent as it is among the votes, and the hardness b of items, on 9
    Gauss-Hermite points, are integrated; θ and s are fitted, with θ ~ N(1.5, 3²) and log s ~ N(0, 1), which keep them
    finite. Annotator a's value is the mean of P(right) over b ~ N(0, s²), items in general: those who were given hard
    ones are blamed less for them, as far as the votes tell which ones are hard. NaN for who shares no item.

    >>> from annotation.consensus.votes import votes_from
    >>> said = {"Ada": "nnyyny" * 9, "Ben": "nnyyny" * 9, "Cleo": "nnyyny" * 9, "Dee": "nnyynn" * 9}
    >>> votes = votes_from((str(at), who, label) for who, row in said.items() for at, label in enumerate(row))
    >>> ada, _, _, dee = adjusted_accuracy(votes).tolist()
    >>> ada > 0.95, 0.7 < dee < 0.9
    (True, True)
    """
    # SciPy takes long to load, and other methods do without it.
    from scipy.optimize import minimize
    from scipy.special import expit, log_expit, logsumexp

    n_annotators, n_labels = len(votes.annotators), len(votes.labels)
    rows = np.flatnonzero(np.bincount(votes.on)[votes.on] > 1)
    if not len(rows) or n_labels == 1:
        return np.full(n_annotators, np.nan)
    rows = rows[np.argsort(votes.on[rows], kind="stable")]
    by = votes.by[rows]
    _, starts, item = np.unique(votes.on[rows], return_index=True, return_inverse=True)
    points, weights = np.polynomial.hermite_e.hermegauss(_POINTS)
    counts = vote_counts(votes).sum(axis=0) + 1
    log_prior = np.log(counts / counts.sum())[:, None] + np.log(weights / weights.sum())
    # By vote, true label and hardness
    right = (votes.said[rows][:, None] == np.arange(n_labels))[:, :, None]
    guess = 1 / n_labels

    def loss(parameters: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        skill, spread = parameters[:-1], np.exp(parameters[-1])
        log_odds = (skill[by][:, None] - spread * points)[:, None, :]
        knows = expit(log_odds)
        hit = guess + (1 - guess) * knows
        each = np.where(right, np.log(hit), log_expit(-log_odds) + np.log(guess))
        joint = np.add.reduceat(each, starts, axis=0) + log_prior
        total = logsumexp(joint, axis=(1, 2), keepdims=True)
        uphill = np.where(right, (1 - guess) * knows * (1 - knows) / hit, -knows)
        off = -(uphill * np.exp(joint - total)[item]).sum(axis=1)
        slope = np.append(
            np.bincount(by, weights=off.sum(axis=1), minlength=n_annotators)
            + (skill - _SKILLED) / _ANNOTATORS**2,
            -(off @ points).sum() * spread + parameters[-1],
        )
        prior = ((skill - _SKILLED) ** 2).sum() / (2 * _ANNOTATORS**2) + parameters[-1] ** 2 / 2
        return float(prior - total.sum()), slope

    start = np.append(np.full(n_annotators, _SKILLED), 0.0)
    fitted = minimize(loss, start, jac=True, method="L-BFGS-B").x
    knows = expit(fitted[:-1, None] - np.exp(fitted[-1]) * points) @ (weights / weights.sum())
    value = guess + (1 - guess) * knows
    found: NDArray[np.float64] = np.where(np.bincount(by, minlength=n_annotators) > 0, value, np.nan)
    return found
