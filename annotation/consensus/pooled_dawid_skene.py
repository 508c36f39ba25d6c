"""How sure one may be of the answer to an item after one, two or three votes, when no annotator has many yet."""

import numpy as np
from numpy.typing import NDArray

from annotation.consensus.dawid_skene import FLOOR
from annotation.consensus.values import Votes
from annotation.consensus.votes import normalise, vote_counts

# What is believed of annotators before any vote, and how many votes on a label weigh as much as that belief.
_RIGHT = 0.8
_BELIEF = 10.0
# As many votes of an annotator's own weigh as much as what all annotators do together.
_SHRINK = 10.0


def answer_posterior(
    votes: Votes, *, max_iterations: int = 200, tolerance: float = 1e-5
) -> NDArray[np.float64]:
    r"""P(label | votes) of each item, by Dawid and Skene's model with annotators drawn towards each other.

    Expectation–maximisation as in `dawid_skene`, but with counts that are smoothed at every step:

        p_k = (n_k + 1) / (N + K)
        ē_{k,l} = (Σ_a n_{a,k,l} + 10 u_{k,l}) / (Σ_a n_{a,k} + 10)
        e_{a,k,l} = (n_{a,k,l} + 10 ē_{k,l}) / (n_{a,k} + 10)

    where n are expected counts, and u says that an annotator is right 8 times of 10. So nobody is taken for
    infallible after a few votes, an annotator with few is judged as all are, and one with many by their own.
    (A. P. Dawid, A. M. Skene, Applied Statistics 28(1), 1979; for the pooling, S. Paun and others, "Comparing Bayesian
    Models of Annotation", TACL 6, 2018.) Every possible label is in `votes.labels`, also one that nobody gave yet.
    Whether to ask on may depend on earlier votes: that leaves the likelihood as it is.

    Two who agree on the commoner label are believed, two who agree on the rare one less, two who differ are not:

    >>> from annotation.consensus.votes import votes_from
    >>> rows = [(f"{at:02}", who, "no") for at in range(20) for who in ("Ada", "Ben")]
    >>> rows += [("rare", "Ada", "yes"), ("rare", "Ben", "yes"), ("split", "Ada", "no"), ("split", "Ben", "yes")]
    >>> votes = votes_from(rows)
    >>> sure = answer_posterior(votes).max(axis=1)
    >>> [round(float(sure[votes.items.index(item)]), 2) for item in ("00", "rare", "split")]
    [1.0, 0.99, 0.67]
    """
    n_labels = len(votes.labels)
    cell = votes.by * n_labels + votes.said
    truth = vote_counts(votes)
    truth /= truth.sum(axis=1, keepdims=True)
    for _ in range(max_iterations):
        before, truth = truth, _truth(votes, cell, truth)
        if np.abs(truth - before).max() < tolerance:
            break
    return truth


def _truth(votes: Votes, cell: NDArray[np.int64], truth: NDArray[np.float64]) -> NDArray[np.float64]:
    n_items, n_labels = truth.shape
    prior = (truth.sum(axis=0) + 1) / (n_items + n_labels)
    log_errors = np.log(np.maximum(_errors(votes, cell, truth), FLOOR))
    log_weights = np.empty_like(truth)
    for k in range(n_labels):
        evidence = np.bincount(votes.on, weights=log_errors[:, k].ravel()[cell], minlength=n_items)
        log_weights[:, k] = np.log(prior[k]) + evidence
    return normalise(log_weights)[0]


def _errors(votes: Votes, cell: NDArray[np.int64], truth: NDArray[np.float64]) -> NDArray[np.float64]:
    """`errors[a, k, l]`: how probable it is that annotator a says l where k is true."""
    n_annotators, n_labels = len(votes.annotators), len(votes.labels)
    size = n_annotators * n_labels
    counts = np.stack(
        [np.bincount(cell, weights=truth[:, k][votes.on], minlength=size) for k in range(n_labels)]
    )
    own = counts.reshape(n_labels, n_annotators, n_labels).transpose(1, 0, 2)
    pooled = own.sum(axis=0) + _BELIEF * _belief(n_labels)
    pooled /= pooled.sum(axis=1, keepdims=True)
    errors: NDArray[np.float64] = own + _SHRINK * pooled
    errors /= errors.sum(axis=2, keepdims=True)
    return errors


def _belief(n_labels: int) -> NDArray[np.float64]:
    if n_labels == 1:
        return np.ones((1, 1))
    belief = np.full((n_labels, n_labels), (1 - _RIGHT) / (n_labels - 1))
    np.fill_diagonal(belief, _RIGHT)
    return belief
