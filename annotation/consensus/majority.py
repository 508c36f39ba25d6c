"""The label that most annotators gave."""

import numpy as np

from annotation.consensus.caveats import note_on
from annotation.consensus.shares import vote_counts
from annotation.consensus.values import Consensus, Votes


def majority(votes: Votes) -> Consensus:
    """The most frequent label of each item, with its share of the item's votes as confidence.

    A tie goes to the label that is more frequent over all items, then to the first by name; the note counts ties.

    >>> from annotation.consensus.votes import votes_from
    >>> votes = votes_from([("1", "Ada", "no"), ("1", "Ben", "yes"), ("2", "Ada", "yes"), ("2", "Ben", "yes")])
    >>> result = majority(votes)
    >>> [votes.labels[label] for label in result.label], result.confidence.tolist()
    (['yes', 'yes'], [0.5, 1.0])
    >>> result.note
    '1 of 2 items tied: a tie goes to the label that is more frequent overall, then to the first by name.'
    """
    counts = vote_counts(votes)
    most = counts.max(axis=1, keepdims=True)
    in_front = counts == most
    # The stable sort leaves labels of equal frequency in the order of their names.
    by_frequency = np.argsort(-counts.sum(axis=0), kind="stable")
    label = by_frequency[in_front[:, by_frequency].argmax(axis=1)]
    n_ties = int((in_front.sum(axis=1) > 1).sum())
    rule = "a tie goes to the label that is more frequent overall, then to the first by name"
    return Consensus(
        label=label.astype(np.int64),
        confidence=most[:, 0] / counts.sum(axis=1),
        competence=np.full(len(votes.annotators), np.nan),
        note=note_on(votes, f"{n_ties} of {len(votes.items)} items tied: {rule}." if n_ties else "No ties."),
    )
