"""Each learner is found by its spec; that the two say the same is a test of `LearnerContract`."""

from __future__ import annotations

import pytest

from learning.learners.registry import LEARNERS, UnknownLearner, learner_spec, title_of
from ml_backend.learners.registry import learner_type


def test_every_learner_is_found_under_its_own_name_and_in_its_own_place() -> None:
    assert [learner_type(each.name).name for each in LEARNERS] == [each.name for each in LEARNERS]
    assert len({each.rank for each in LEARNERS}) == len({each.name for each in LEARNERS}) == len(LEARNERS)
    assert LEARNERS[0].name == "encoder-lora", "the default"


def test_one_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownLearner, match="choose from encoder-lora"):
        learner_spec("dreams")
    assert title_of("dreams") == "dreams"
