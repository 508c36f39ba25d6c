"""With annotators of known quality, the methods find the truth and tell good annotators from bad ones."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from annotation.consensus.dawid_skene import dawid_skene
from annotation.consensus.mace import mace
from annotation.consensus.majority import majority
from annotation.consensus.values import Consensus, Votes


def simulated(
    confusions: list[NDArray[np.float64]], *, n_items: int, seed: int
) -> tuple[Votes, NDArray[np.int64]]:
    """Everybody judges every item; `confusions[a][k, l]` is how often a says l where k is true."""
    rng = np.random.default_rng(seed)
    n_labels = len(confusions[0])
    truth = rng.integers(n_labels, size=n_items)
    said = np.stack(
        [
            (rng.random(n_items)[:, None] > confusion[truth].cumsum(axis=1)).sum(axis=1)
            for confusion in confusions
        ],
        axis=1,
    )
    names = [
        tuple(f"{kind}-{at:04}" for at in range(n)) for kind, n in (("i", n_items), ("a", len(confusions)))
    ]
    labels = tuple(str(label) for label in range(n_labels))
    on = np.repeat(np.arange(n_items), len(confusions))
    by = np.tile(np.arange(len(confusions)), n_items)
    return Votes(names[0], names[1], labels, on, by, said.ravel().clip(0, n_labels - 1)), truth


def right(skill: float, n_labels: int = 2) -> NDArray[np.float64]:
    """Right with this probability, else any other label."""
    confusion = np.full((n_labels, n_labels), (1 - skill) / (n_labels - 1))
    np.fill_diagonal(confusion, skill)
    return confusion


def always(label: int, n_labels: int = 2) -> NDArray[np.float64]:
    return np.tile(np.eye(n_labels)[label], (n_labels, 1))


def accuracy(result: Consensus, truth: NDArray[np.int64]) -> float:
    return float((result.label == truth).mean())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_dawid_skene_beats_the_majority_where_qualities_differ(seed: int) -> None:
    skills = [0.95, 0.9, 0.55, 0.55, 0.55]
    votes, truth = simulated([right(skill) for skill in skills], n_items=2000, seed=seed)
    result = dawid_skene(votes)
    assert accuracy(result, truth) > accuracy(majority(votes), truth) + 0.05
    assert result.competence == pytest.approx(skills, abs=0.06)


def test_dawid_skene_turns_round_who_says_the_opposite() -> None:
    votes, truth = simulated(
        [right(0.9), right(0.85), right(0.85), right(0.05), right(0.1)], n_items=2000, seed=4
    )
    assert accuracy(dawid_skene(votes), truth) > 0.97
    assert accuracy(majority(votes), truth) < 0.9


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_mace_sees_through_spammers(seed: int) -> None:
    people = [right(0.9, 3), right(0.85, 3), right(0.8, 3), always(0, 3), always(0, 3), always(2, 3)]
    votes, truth = simulated(people, n_items=1500, seed=seed)
    result = mace(votes, seed=seed)
    assert accuracy(result, truth) > accuracy(majority(votes), truth) + 0.05
    assert result.competence[:3].min() > 0.6
    assert result.competence[3:].max() < 0.1


def test_the_competence_of_mace_is_the_share_that_was_not_guessed() -> None:
    """Who is right in 80 of 100 cases among four labels knows 73: a quarter of the 27 guesses is right by luck."""
    votes, _ = simulated([right(0.8, 4)] * 8, n_items=4000, seed=5)
    assert mace(votes, seed=1).competence == pytest.approx(np.full(8, (0.8 - 0.25) / 0.75), abs=0.03)


@pytest.mark.parametrize("skills", [[0.9, 0.8, 0.7], [0.7] * 7])
def test_confidence_is_how_often_dawid_skene_is_right(skills: list[float]) -> None:
    votes, truth = simulated([right(skill) for skill in skills], n_items=5000, seed=6)
    result = dawid_skene(votes)
    assert result.confidence.mean() == pytest.approx(accuracy(result, truth), abs=0.04)


def test_a_perfect_annotator_more_makes_it_better() -> None:
    people = [right(0.7), right(0.7), right(0.6)]
    votes, truth = simulated(people, n_items=1000, seed=7)
    more, same_truth = simulated([*people, right(1.0)], n_items=1000, seed=7)
    assert (truth == same_truth).all()
    for method in (majority, dawid_skene):
        assert accuracy(method(more), truth) > accuracy(method(votes), truth)
    assert dawid_skene(more).competence.argmax() == 3
