"""Each learner is found by its spec; that the two say the same is a test of `LearnerContract`."""

from __future__ import annotations

from pathlib import Path

import pytest

from codebook.shipped import load_shipped
from learning.learners.registry import (
    LEARNERS,
    UnknownLearner,
    learner_spec,
    learners_for,
    title_of,
    with_learners,
)
from ml_backend.learners.registry import learner_type


def test_every_learner_is_found_under_its_own_name_and_in_its_own_place() -> None:
    assert [learner_type(each.name).name for each in LEARNERS] == [each.name for each in LEARNERS]
    assert len({each.rank for each in LEARNERS}) == len({each.name for each in LEARNERS}) == len(LEARNERS)
    assert LEARNERS[0].name == "encoder-lora", "the default"


def test_the_docs_list_every_learner() -> None:
    page = (Path(__file__).parents[3] / "docs/models.md").read_text()
    assert with_learners(page) == page, "Run python -m learning.learners.registry docs/models.md"
    assert with_learners(page.replace("`majority`", "`minority`", 1)) == page


def test_learners_of_sentences_are_for_codebooks_that_ask_for_sentences() -> None:
    for codebook, is_of_sentences in (
        (load_shipped("empathy-cause"), True),
        (load_shipped("epitome"), False),
    ):
        names = {each.name for each in learners_for(codebook)}
        assert ({"positions", "co-attention"} <= names) is is_of_sentences
        assert {"majority", "encoder-lora"} <= names


def test_one_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownLearner, match="choose from encoder-lora"):
        learner_spec("dreams")
    assert title_of("dreams") == "dreams"
