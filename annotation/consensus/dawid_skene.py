"""Labels weighed by each annotator's own confusions, as Dawid and Skene estimate them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.consensus.values import Consensus, Votes, note_on_weighting
from annotation.consensus.votes import likeliest, normalise, vote_counts

# A count or probability of zero would rule a label out for good; crowd-kit has the same floor.
FLOOR = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class _Model:
    """`errors[a, l, k]`: how probable it is that annotator a says l where k is true; `prior[k]`: how frequent k is."""

    prior: NDArray[np.float64]
    errors: NDArray[np.float64]


def dawid_skene(votes: Votes, *, max_iterations: int = 10_000, tolerance: float = 1e-7) -> Consensus:
    r"""Expectation–maximisation from the vote shares, in logarithms (A. P. Dawid, A. M. Skene, "Maximum Likelihood
    Estimation of Observer Error-Rates Using the EM Algorithm", Applied Statistics 28(1), 1979).

    With truth z, prior p and confusions e: P(z_i = k | votes) ∝ p_k ∏_{votes a says l of i} e_{a,l,k}; then p_k is
    the mean of these over items and e_{a,l,k} the share of l among a's votes on items weighed by P(z_i = k). It
    stops when no probability of a label moves by more than `tolerance`: the likelihood hardly grows long before labels
    have settled. An annotator's competence is Σ_k p_k e_{a,k,k}: how often they are right.

    Cleo, who says the opposite, is worth as much as the others once that is known:

    >>> from annotation.consensus.votes import votes_from
    >>> said = {"Ada": "nnyyny", "Ben": "nnyyny", "Cleo": "yynnyn", "Dee": "nnyyyn", "Eve": "nnyyyy"}
    >>> votes = votes_from((str(at), who, label) for who, row in said.items() for at, label in enumerate(row))
    >>> result = dawid_skene(votes)
    >>> "".join(votes.labels[label] for label in result.label)
    'nnyyny'
    >>> [round(value, 2) for value in result.competence.tolist()]
    [1.0, 1.0, 0.0, 0.67, 0.83]
    """
    cell = votes.by * len(votes.labels) + votes.said
    counts = vote_counts(votes)
    truth = counts / counts.sum(axis=1, keepdims=True)
    model = _estimate(votes, cell, truth)
    n_steps, has_settled = 0, False
    while n_steps < max_iterations and not has_settled:
        before, truth = truth, _truth(votes, cell, model)
        model = _estimate(votes, cell, truth)
        n_steps, has_settled = n_steps + 1, bool(np.abs(truth - before).max() < tolerance)
    label, confidence = likeliest(truth)
    ended = "settled" if has_settled else "was stopped before it settled"
    return Consensus(
        label=label,
        confidence=confidence,
        competence=np.einsum("akk,k->a", model.errors, model.prior),
        note=note_on_weighting(votes, f"Dawid–Skene {ended} after {n_steps} steps."),
    )


def _truth(votes: Votes, cell: NDArray[np.int64], model: _Model) -> NDArray[np.float64]:
    n_labels = len(votes.labels)
    log_errors = np.log(np.maximum(model.errors, FLOOR)).reshape(-1, n_labels)
    log_prior = np.log(np.maximum(model.prior, FLOOR))
    log_weights = np.empty((len(votes.items), n_labels))
    for k in range(n_labels):
        evidence = np.bincount(votes.on, weights=log_errors[:, k][cell], minlength=len(votes.items))
        log_weights[:, k] = log_prior[k] + evidence
    return normalise(log_weights)[0]


def _estimate(votes: Votes, cell: NDArray[np.int64], truth: NDArray[np.float64]) -> _Model:
    n_annotators, n_labels = len(votes.annotators), len(votes.labels)
    n_cells = n_annotators * n_labels
    expected = np.stack(
        [np.bincount(cell, weights=truth[:, k][votes.on], minlength=n_cells) for k in range(n_labels)], axis=1
    )
    has_votes = np.bincount(cell, minlength=n_cells) > 0
    counted = np.where(has_votes[:, None], np.maximum(expected, FLOOR), 0.0)
    errors = counted.reshape(n_annotators, n_labels, n_labels)
    errors = errors / errors.sum(axis=1, keepdims=True)
    return _Model(truth.mean(axis=0), errors)
