"""The labels are those of crowd-kit, one by one, and so are the probabilities."""

from __future__ import annotations

import numpy as np
import pytest
from crowdkit.aggregation import MACE, DawidSkene, MajorityVote

from annotation.consensus.dawid_skene import dawid_skene
from annotation.consensus.mace import mace
from annotation.consensus.majority import majority
from annotation.consensus.values import Votes
from annotation.consensus.votes import vote_counts
from benchmarks.consensus import as_table, invented_votes

# crowd-kit passes arguments that newer versions of pandas warn about.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(
    params=[
        pytest.param((400, 6, 2, 3), id="two labels"),
        pytest.param((400, 12, 4, 3), id="four labels"),
        pytest.param((300, 3, 3, 3), id="three annotators"),
        pytest.param((200, 40, 3, 5), id="many annotators"),
    ]
)
def votes(request: pytest.FixtureRequest) -> Votes:
    n_items, n_annotators, n_labels, votes_each = request.param
    return invented_votes(n_items, n_annotators, n_labels, votes_each, seed=7)[0]


def test_dawid_skene(votes: Votes) -> None:
    """After as many steps: crowd-kit stops once the likelihood hardly grows, before labels have settled."""
    crowd_kit = DawidSkene()
    theirs = crowd_kit.fit_predict_proba(as_table(votes)).loc[list(votes.items), list(votes.labels)]
    ours = dawid_skene(votes, max_iterations=len(crowd_kit.loss_history_))
    assert ours.label.tolist() == theirs.to_numpy().argmax(axis=1).tolist()
    assert ours.confidence == pytest.approx(theirs.to_numpy().max(axis=1), abs=1e-6)


@pytest.mark.slow
def test_mace(votes: Votes) -> None:
    """crowd-kit starts at random; after enough steps both have come to the same place."""
    theirs = MACE(n_restarts=1, n_iter=200).fit_predict_proba(as_table(votes))
    probabilities = theirs.loc[list(votes.items), list(votes.labels)].to_numpy()
    ours = mace(votes, restarts=3, iterations=200, seed=1)
    assert ours.label.tolist() == probabilities.argmax(axis=1).tolist()
    assert ours.confidence == pytest.approx(probabilities.max(axis=1), abs=1e-4)


def test_majority_but_for_ties_which_crowd_kit_settles_by_the_order_of_rows(votes: Votes) -> None:
    theirs = MajorityVote().fit_predict(as_table(votes)).loc[list(votes.items)]
    counts = np.sort(vote_counts(votes), axis=1)
    is_clear = counts[:, -1] > counts[:, -2]
    ours = np.array(votes.labels)[majority(votes).label]
    assert is_clear.sum() > len(votes.items) / 2
    assert (ours == theirs.to_numpy())[is_clear].all()


@pytest.mark.slow
@pytest.mark.parametrize("n_items", [4_000, pytest.param(20_000, marks=pytest.mark.soak)])
def test_all_of_many_items(n_items: int) -> None:
    votes, _ = invented_votes(n_items, 30, 3, 3, seed=3)
    table = as_table(votes)
    crowd_kit = DawidSkene()
    theirs = crowd_kit.fit_predict(table).loc[list(votes.items)].tolist()
    settled = dawid_skene(votes, max_iterations=len(crowd_kit.loss_history_))
    assert [votes.labels[label] for label in settled.label] == theirs
    ours = [votes.labels[label] for label in mace(votes, restarts=2, seed=1).label]
    assert ours == MACE(n_restarts=1).fit_predict(table).loc[list(votes.items)].tolist()
