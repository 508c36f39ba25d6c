"""Makes votes out of rows of names, the same ones whatever order the rows come in."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from annotation.consensus.values import Votes


class NoVotes(ValueError):
    """There is nothing to make a consensus of."""

    def __init__(self) -> None:
        super().__init__("There are no votes: give at least one item with an annotator and a label.")


class TwoVotes(ValueError):
    """One annotator said two different things of one item."""

    def __init__(self, item: str, annotator: str, labels: Sequence[str]) -> None:
        self.item, self.annotator, self.labels = item, annotator, tuple(labels)
        said = " and ".join(f"“{label}”" for label in labels)
        super().__init__(
            f"{annotator} gave item {item} {said}: keep one vote of each annotator on each item."
        )


def votes_from(rows: Iterable[tuple[str, str, str]]) -> Votes:
    """Rows of item, annotator, label; a row that is there twice counts once.

    >>> votes = votes_from([("b", "Chen", "yes"), ("a", "Ada", "no"), ("a", "Chen", "yes")])
    >>> votes.items, votes.annotators, votes.labels
    (('a', 'b'), ('Ada', 'Chen'), ('no', 'yes'))
    >>> votes.on.tolist(), votes.by.tolist(), votes.said.tolist()
    ([0, 0, 1], [0, 1, 1], [0, 1, 1])
    """
    columns = tuple(zip(*rows, strict=True))
    if not columns:
        raise NoVotes
    (items, on), (annotators, by), (labels, said) = (_place(column) for column in columns)
    order = np.lexsort((said, by, on))
    on, by, said = on[order], by[order], said[order]
    same_vote = (on[1:] == on[:-1]) & (by[1:] == by[:-1])
    for at in np.flatnonzero(same_vote & (said[1:] != said[:-1]))[:1]:
        raise TwoVotes(items[on[at]], annotators[by[at]], [labels[said[at]], labels[said[at + 1]]])
    once = np.concatenate(([True], ~same_vote))
    return Votes(items, annotators, labels, on[once], by[once], said[once])


def _place(column: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    names = tuple(sorted(set(column)))
    place = {name: at for at, name in enumerate(names)}
    return names, np.fromiter((place[name] for name in column), dtype=np.int64, count=len(column))


# Two probabilities closer than this are a tie: what is left of a difference then is the order of additions.
_TIE = 1e-9


def vote_counts(votes: Votes) -> NDArray[np.float64]:
    """How many annotators gave item i (row) label k (column)."""
    shape = len(votes.items), len(votes.labels)
    place = votes.on * shape[1] + votes.said
    return np.bincount(place, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)


def normalise(log_weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Each row as probabilities, and the logarithm of what it summed to; safe where exp alone would underflow.

    >>> probabilities, log_sums = normalise(np.array([[-1000.0, -1000.0]]))
    >>> probabilities.tolist(), [round(value, 4) for value in log_sums.tolist()]
    ([[0.5, 0.5]], [-999.3069])
    """
    highest = log_weights.max(axis=1, keepdims=True)
    weights = np.exp(log_weights - highest)
    sums = weights.sum(axis=1, keepdims=True)
    return weights / sums, (highest + np.log(sums))[:, 0]


def likeliest(probabilities: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The most probable label of each row, the first by name where several are, and its probability."""
    highest = probabilities.max(axis=1)
    label = (probabilities >= highest[:, None] - _TIE).argmax(axis=1).astype(np.int64)
    return label, highest
