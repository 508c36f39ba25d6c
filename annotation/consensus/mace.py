"""Labels weighed by how often each annotator was guessing, as MACE estimates it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.consensus.values import Consensus, Votes, note_on_skew, note_on_weighting
from annotation.consensus.votes import likeliest, normalise

# The priors of the original: people mostly know or mostly guess, and guesses are spread unless votes say otherwise.
_KNOWING_PRIOR = 0.5
_GUESS_PRIOR = 10.0
# How far random starts are spread, as weights from 1 to this.
_SPREAD = 2.5


@dataclass(frozen=True, slots=True, eq=False)
class _Weights:
    """For annotator a: `knows[a]`, `guesses[a]`, and `guess[a, l]` how they guess; in the middle of a fit these are
    weights of variational Bayes, which need not sum to one."""

    knows: NDArray[np.float64]
    guesses: NDArray[np.float64]
    guess: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """What the votes mean under some weights: `known[a, l]` expected votes that annotator a knew, of `said[a, l]`."""

    truth: NDArray[np.float64]
    known: NDArray[np.float64]
    said: NDArray[np.float64]
    log_likelihood: float


def mace(votes: Votes, *, restarts: int = 10, iterations: int = 50, seed: int) -> Consensus:
    r"""Variational Bayes (D. Hovy, T. Berg-Kirkpatrick, A. Vaswani, E. Hovy, "Learning Whom to Trust with MACE",
    NAACL-HLT 2013): annotator a knows the label with probability θ_a and else guesses l with probability ξ_{a,l}, so
    P(a says l | truth k) = θ_a [l = k] + (1 - θ_a) ξ_{a,l}, all labels equally probable beforehand. θ has a Beta(½, ½)
    prior, ξ a Dirichlet(10, …); the start with the greatest marginal likelihood is kept. The first start trusts
    everybody alike, the others are random. Competence is the mean of θ_a after the votes: (known + ½) / (votes + 1).

    >>> from annotation.consensus.votes import votes_from
    >>> said = {"Ada": "nnyynynyny", "Ben": "nnyynynyny", "Spam": "yyyyyyyyyy", "Spam too": "yyyyyyyyyy"}
    >>> votes = votes_from((str(at), who, label) for who, row in said.items() for at, label in enumerate(row))
    >>> result = mace(votes, seed=1)
    >>> "".join(votes.labels[label] for label in result.label)
    'nnyynynyny'
    >>> (result.competence[:2] > 0.8).all(), (result.competence[2:] < 0.3).all()
    (np.True_, np.True_)
    """
    if restarts < 1:
        raise ValueError(f"MACE needs at least one start, not {restarts}.")
    rng = np.random.default_rng(seed)
    starts = (_start(votes, rng if start else None) for start in range(restarts))
    fitted = (_fit(votes, start, iterations) for start in starts)
    best = max(fitted, key=lambda reading: reading.log_likelihood)
    label, confidence = likeliest(best.truth)
    known, said = best.known.sum(axis=1), best.said.sum(axis=1)
    return Consensus(
        label=label,
        confidence=confidence,
        competence=(known + _KNOWING_PRIOR) / (said + 2 * _KNOWING_PRIOR),
        note=note_on_weighting(
            votes, f"MACE: the best of {restarts} starts, {iterations} steps each.", note_on_skew(votes)
        ),
    )


def _start(votes: Votes, rng: np.random.Generator | None) -> _Weights:
    shape = len(votes.annotators), len(votes.labels)
    if rng is None:
        half = np.full(shape[0], 0.5)
        return _Weights(half, half, np.full(shape, 1 / shape[1]))
    trust = rng.uniform(1, _SPREAD, (shape[0], 2))
    guess = rng.uniform(1, _SPREAD, shape)
    trust /= trust.sum(axis=1, keepdims=True)
    return _Weights(trust[:, 1], trust[:, 0], guess / guess.sum(axis=1, keepdims=True))


def _fit(votes: Votes, weights: _Weights, iterations: int) -> _Reading:
    reading = _read(votes, weights)
    for _ in range(iterations):
        reading = _read(votes, _reweight(reading))
    return reading


def _read(votes: Votes, weights: _Weights) -> _Reading:
    n_items, n_labels = len(votes.items), len(votes.labels)
    cell = votes.by * n_labels + votes.said
    place = votes.on * n_labels + votes.said
    guessed = weights.guesses[:, None] * weights.guess
    either = guessed + weights.knows[:, None]
    said = np.bincount(cell, minlength=guessed.size).reshape(guessed.shape).astype(np.float64)
    # Every vote is a guess under all labels but its own: that part is the same for each label of an item.
    gain = np.log(either / guessed).ravel()
    log_weights = np.bincount(place, weights=gain[cell], minlength=n_items * n_labels).astype(np.float64)
    truth, log_sums = normalise(log_weights.reshape(n_items, n_labels))
    right = np.bincount(cell, weights=truth.ravel()[place], minlength=guessed.size).reshape(guessed.shape)
    log_likelihood = log_sums.sum() + (said * np.log(guessed)).sum() - n_items * np.log(n_labels)
    return _Reading(truth, right * weights.knows[:, None] / either, said, float(log_likelihood))


def _reweight(reading: _Reading) -> _Weights:
    # SciPy takes long to load, and the other methods do without it.
    from scipy.special import digamma

    known, guessed = reading.known.sum(axis=1), reading.said - reading.known
    total = digamma(reading.said.sum(axis=1) + 2 * _KNOWING_PRIOR)
    n_labels = guessed.shape[1]
    all_guessed = guessed.sum(axis=1)
    return _Weights(
        knows=np.exp(digamma(known + _KNOWING_PRIOR) - total),
        guesses=np.exp(digamma(all_guessed + _KNOWING_PRIOR) - total),
        guess=np.exp(
            digamma(guessed + _GUESS_PRIOR) - digamma(all_guessed + n_labels * _GUESS_PRIOR)[:, None]
        ),
    )
