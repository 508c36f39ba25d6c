"""Votes are the same whatever order rows come in; what cannot be counted is refused by name."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.consensus.votes import NoVotes, TwoVotes, votes_from

NAMES = st.sampled_from(["a", "b", "c", "10", "9", "é"])
ROWS = st.dictionaries(st.tuples(NAMES, NAMES), NAMES, min_size=1).map(
    lambda said: [(item, annotator, label) for (item, annotator), label in said.items()]
)


@given(ROWS, st.randoms(use_true_random=False))
def test_rows_come_back_whatever_their_order(rows: list[tuple[str, str, str]], random: object) -> None:
    votes = votes_from(rows)
    back = [
        (votes.items[on], votes.annotators[by], votes.labels[said])
        for on, by, said in zip(votes.on, votes.by, votes.said, strict=True)
    ]
    assert back == sorted(rows)
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    again = votes_from([*shuffled, shuffled[0]])
    for name in ("items", "annotators", "labels"):
        assert getattr(again, name) == getattr(votes, name)
    for name in ("on", "by", "said"):
        assert np.array_equal(getattr(again, name), getattr(votes, name))


def test_two_votes_of_one_annotator_are_refused() -> None:
    with pytest.raises(TwoVotes, match="Ada gave item 1 “no” and “yes”") as refused:
        votes_from([("1", "Ada", "yes"), ("1", "Ben", "no"), ("1", "Ada", "no")])
    assert (refused.value.item, refused.value.annotator) == ("1", "Ada")


def test_nothing_is_refused() -> None:
    with pytest.raises(NoVotes, match="at least one item"):
        votes_from([])
