"""How annotators did under three models, each with an interval, and nothing where there is too little to tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from annotation.consensus.competence_values import (
    LEAST,
    LEAST_ANNOTATORS,
    RESAMPLES,
    Competence,
    Interval,
    Model,
)
from annotation.consensus.dawid_skene import dawid_skene
from annotation.consensus.mace import mace
from annotation.consensus.rasch import adjusted_accuracy
from annotation.consensus.values import Votes


def competences(
    votes: Votes,
    *,
    clusters: Mapping[str, str] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 1,
    least: int = LEAST,
    report: Callable[[], None] = lambda: None,
) -> tuple[Competence, ...]:
    """In the order of names: to rank people by overlapping intervals would be unfair. `clusters` has each item's post.

    The interval of a value holds both the percentile interval of a bootstrap that draws posts (or items) with
    replacement and Jeffreys' interval for so many answers, Beta(½ + n v, ½ + n (1 - v)): the bootstrap alone has no
    width where somebody was always in line, and the Beta alone knows nothing of doubt about what is right.

    >>> from annotation.consensus.votes import votes_from
    >>> said = [(str(at), who, "yes" if at % 2 else "no") for at in range(40) for who in ("Ada", "Ben", "Cleo")]
    >>> rows = competences(votes_from([*said, ("1", "Dee", "yes")]), resamples=20)
    >>> [(row.annotator, row.n, row.missing) for row in rows[2:]]
    [('Cleo', 40, ''), ('Dee', 1, '1 of at least 30 items that others judged too')]
    >>> interval = rows[0].values[Model.DAWID_SKENE]
    >>> interval.value > 0.98, 0.9 < interval.low < 0.97
    (True, True)
    """
    shared = _shared(votes)
    n_of = np.bincount(shared.by, minlength=len(votes.annotators)).tolist()
    enough = [n >= least for n in n_of]
    if sum(enough) < LEAST_ANNOTATORS:
        few = f"at least {LEAST_ANNOTATORS} annotators with {least} items in common with others"
        return tuple(Competence(name, n, {}, few) for name, n in zip(votes.annotators, n_of, strict=True))
    point = estimate_competence(shared, seed)
    drawn = _bootstrap(shared, clusters, resamples, seed, report)
    return tuple(
        Competence(name, n, _intervals(at, n, point, drawn))
        if enough[at]
        else Competence(name, n, {}, f"{n} of at least {least} items that others judged too")
        for at, (name, n) in enumerate(zip(votes.annotators, n_of, strict=True))
    )


def _shared(votes: Votes) -> Votes:
    """Only items with two votes."""
    keep = np.bincount(votes.on, minlength=len(votes.items))[votes.on] > 1
    return _renumbered(votes, np.flatnonzero(keep), votes.on[keep], votes.items)


def _renumbered(
    votes: Votes, rows: NDArray[np.int64], on: NDArray[np.int64], names: Sequence[str] | None = None
) -> Votes:
    """These votes, of items that `on` tells apart; everybody and every label stays."""
    distinct, places = np.unique(on, return_inverse=True)
    return Votes(
        items=tuple(names[at] if names else str(at) for at in distinct),
        annotators=votes.annotators,
        labels=votes.labels,
        on=places.astype(np.int64),
        by=votes.by[rows],
        said=votes.said[rows],
    )


Estimates = dict[Model, NDArray[np.float64]]


def estimate_competence(votes: Votes, seed: int, *, restarts: int = 10) -> Estimates:
    """By annotator, NaN for who has no vote here."""
    quick, n_annotators = restarts == 1, len(votes.annotators)
    there, by = np.unique(votes.by, return_inverse=True)
    votes = replace(votes, annotators=tuple(votes.annotators[at] for at in there), by=by.astype(np.int64))
    skene = dawid_skene(votes, max_iterations=200, tolerance=1e-4 if quick else 1e-6)
    found = {
        Model.DAWID_SKENE: skene.competence,
        Model.MACE: mace(votes, restarts=restarts, iterations=30 if quick else 50, seed=seed).competence,
        Model.RASCH: adjusted_accuracy(votes),
    }
    return {model: _put(values, there, n_annotators) for model, values in found.items()}


def _put(values: NDArray[np.float64], there: NDArray[np.int64], n: int) -> NDArray[np.float64]:
    row = np.full(n, np.nan)
    row[there] = values
    return row


def _bootstrap(
    votes: Votes, clusters: Mapping[str, str] | None, resamples: int, seed: int, report: Callable[[], None]
) -> dict[Model, NDArray[np.float64]]:
    """By model, a row for each draw and a column for each annotator."""
    rng = np.random.default_rng(seed)
    rows_of = _rows_by_cluster(votes, clusters)
    found: dict[Model, list[NDArray[np.float64]]] = {model: [] for model in Model}
    for _ in range(resamples):
        picks = [rows_of[at] for at in rng.integers(len(rows_of), size=len(rows_of))]
        rows = np.concatenate(picks)
        copies = np.repeat(np.arange(len(picks)), [len(each) for each in picks])
        drawn = _renumbered(votes, rows, copies * len(votes.items) + votes.on[rows])
        for model, values in estimate_competence(drawn, seed, restarts=1).items():
            found[model].append(values)
        report()
    return {model: np.stack(values) for model, values in found.items()}


def _rows_by_cluster(votes: Votes, clusters: Mapping[str, str] | None) -> list[NDArray[np.int64]]:
    names = votes.on if clusters is None else np.array([clusters[votes.items[at]] for at in votes.on])
    _, cluster = np.unique(names, return_inverse=True)
    order = np.argsort(cluster, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(cluster[order])) + 1)


def _intervals(at: int, n: int, point: Estimates, drawn: Estimates) -> dict[Model, Interval]:
    from scipy.stats import beta

    found = {}
    for model in Model:
        value = float(point[model][at])
        low, high = np.nanquantile(drawn[model][:, at], [0.025, 0.975])
        least, most = beta.ppf([0.025, 0.975], 0.5 + n * value, 0.5 + n * (1 - value))
        found[model] = Interval(value, float(min(low, least, value)), float(max(high, most, value)))
    return found
