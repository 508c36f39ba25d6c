"""The labelled texts that share the most words."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from codebook.shipped import load_shipped
from ml_backend.learners.interface import Input
from ml_backend.learners.nearest_neighbour import (
    CANDIDATES,
    WITHOUT_DEV,
    NearestNeighbour,
    NeighbourConfig,
    Neighbours,
)
from tests.ml_backend.fixtures import examples
from tests.ml_backend.learners.contract import LearnerContract
from tests.ml_backend.learners.test_tfidf import share_right


class TestNearestNeighbour(LearnerContract):
    learner_type = NearestNeighbour

    @pytest.fixture(params=[Input.ALONE, Input.PAIR])
    def config(self, request: pytest.FixtureRequest) -> NeighbourConfig:
        return NeighbourConfig(input=request.param)

    @pytest.mark.parametrize("name", ["epitome", "empathy-practices", "empathy-cause", "construct-ratings"])
    def test_it_learns_what_words_give_away(self, config: NeighbourConfig, name: str) -> None:
        codebook = load_shipped(name)
        learner = self.fitted(config, codebook, train=examples(codebook, 45))
        on = examples(codebook, 30, start=60)
        assert share_right(on, self.predicted(learner, on)) > 0.9

    def test_how_many_vote_is_chosen_on_the_validation_part_unless_it_is_said(self) -> None:
        chosen, said = self.fitted(NeighbourConfig()), self.fitted(NeighbourConfig(neighbours=2))
        without = self.fitted(NeighbourConfig(), dev=[])
        assert isinstance(chosen, NearestNeighbour) and isinstance(said, NearestNeighbour)
        assert isinstance(without, NearestNeighbour)
        (k,) = {model.k for model in chosen.models.values()}
        assert k in CANDIDATES
        assert {model.k for model in said.models.values()} == {2}
        assert {model.k for model in without.models.values()} == {WITHOUT_DEV}


def test_votes_are_weighted_by_likeness_and_weight() -> None:
    """By hand: cosines 1 and 0.8 with weights 1 and 0.5 for the two answers, shares 2/3 and 1/3."""
    rows = csr_matrix(np.array([[1.0, 0.0], [0.8, 0.6]]))
    known = Neighbours(2, 2, rows, np.array([0, 1]), np.array([1.0, 0.5]))
    votes = np.exp(known.logits(csr_matrix(np.array([[3.0, 0.0]]))))
    assert votes[0].tolist() == pytest.approx([(2 / 3 + 1) / 2.4, (1 / 3 + 0.4) / 2.4])
    alone = Neighbours(2, 1, rows, np.array([0, 1]), np.array([1.0, 0.5]))
    assert np.exp(alone.logits(csr_matrix(np.array([[3.0, 0.0]]))))[0, 0] == pytest.approx((2 / 3 + 1) / 2)


def test_a_text_that_shares_no_word_gets_the_shares_of_the_answers() -> None:
    rows = csr_matrix(np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]))
    known = Neighbours(3, 3, rows, np.array([0, 0, 0, 2]), np.ones(4))
    votes = np.exp(known.logits(csr_matrix(np.array([[0.0, 2.0]]))))
    assert votes[0].tolist() == pytest.approx([0.75, 0.0, 0.25], abs=1e-9)
