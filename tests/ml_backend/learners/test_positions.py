"""Positions, speakers and features of items, and no words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from annotation.answers import Features, ItemText, SentenceList
from codebook.schema import Part
from ml_backend.learners.boosted_trees import Growth, grow_trees
from ml_backend.learners.interface import Config
from ml_backend.learners.position_features import (
    MOST_VALUES,
    column_names,
    dense_rows,
    dense_width,
    known_values,
    position_rows,
    words_of,
)
from ml_backend.learners.positions import Positions, PositionsConfig
from tests.ml_backend.learners.sentence_contract import CAUSES, SentenceContract, marked_places, talk, talks

KNOWN = {"emotion": ("anger", "joy")}


class TestPositions(SentenceContract):
    learner_type = Positions

    @pytest.fixture
    def config(self) -> Config:
        return PositionsConfig(trees=20)

    def test_it_learns_by_place_and_emotion_and_reads_no_words(self) -> None:
        config = PositionsConfig(trees=100)
        learner = self.fitted(config, CAUSES, train=talks(60), dev=talks(20, start=60))
        on = [talk(90, emotion="joy"), talk(91, emotion="anger"), talk(92, emotion="never seen")]
        found = self.predicted(learner, on)
        assert [marked_places(*each) for each in zip(on, found, strict=True)][:2] == [[3], [0]]
        texts = [replace(each.text, post=each.text.post.replace("Well", "Hell")) for each in on]
        others = self.predicted(
            learner, [replace(each, text=text) for each, text in zip(on, texts, strict=True)]
        )
        assert [each.codes for each in others] == [each.codes for each in found]


def test_a_row_says_where_a_sentence_stands_and_who_speaks() -> None:
    rows = position_rows(talk(1, emotion="joy", speakers="ABBB").text, Part.POST, KNOWN)
    names = column_names(KNOWN)
    assert names[-2:] == ("emotion: anger", "emotion: joy")
    columns = dict(zip(names, rows.T.tolist(), strict=True))
    assert columns["distance"] == [3, 2, 1, 0] and columns["index"] == [0, 1, 2, 3]
    assert columns["same speaker"] == [0, 1, 1, 1], "the last sentence is the reply itself"
    assert columns["emotion: joy"] == [1, 1, 1, 1] and columns["emotion: anger"] == [0, 0, 0, 0]
    assert dense_rows(rows).shape == (4, dense_width(KNOWN)) and not np.isnan(dense_rows(rows)).any()


def test_who_answers_may_be_named_or_unknown() -> None:
    text = talk(1, speakers="ABAB").text
    assert text.features
    own = text.features.sentences[Part.POST]
    named = replace(text, features=Features({"speaker": "A"}, {Part.POST: own}))
    other = SentenceList(((0, 3),), {"speaker": ("B",)})
    beside = replace(text, features=Features({}, {Part.POST: own, Part.REPLY: other}))
    unknown = replace(text, reply="Somebody else")
    same = [position_rows(each, Part.POST, {})[:, 4].tolist() for each in (named, beside, unknown)]
    assert same[:2] == [[1, 0, 1, 0], [0, 1, 0, 1]] and np.isnan(same[2]).all()
    assert np.isnan(position_rows(ItemText("a", "", "One. Two.", None), Part.POST, {})[:, 4]).all()


def test_the_name_of_who_speaks_is_no_word_of_the_sentence() -> None:
    said = ("A: I fell.", "B: Oh: no.")
    text = ItemText(
        "a", "", "\n".join(said), None, Features({}, {Part.POST: SentenceList(((0, 10), (11, 21)))})
    )
    assert words_of(text, Part.POST) == list(said)
    speakers = SentenceList(((0, 10), (11, 21)), {"speaker": ("A", "B")})
    assert words_of(replace(text, features=Features({}, {Part.POST: speakers})), Part.POST) == [
        "I fell.",
        "Oh: no.",
    ]


def test_a_feature_that_names_items_is_not_learned() -> None:
    many = [talk(number, emotion=f"e{number}") for number in range(MOST_VALUES + 1)]
    assert known_values(many) == {}
    assert known_values(many[:2]) == {"emotion": ("e0", "e1")}


def test_trees_as_arrays_say_what_scikit_learn_says() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(400, 6))
    rows[rng.random(rows.shape) < 0.2] = np.nan
    gold = (np.nan_to_num(rows[:, 0]) + np.nan_to_num(rows[:, 1]) * rng.normal(size=400)) > 0.2
    weights = rng.uniform(0.5, 1.5, size=400)
    growth = Growth(trees=15, columns=0.5)
    trees = grow_trees(rows, gold, weights, growth, seed=7)
    model = HistGradientBoostingClassifier(
        max_iter=15,
        learning_rate=0.05,
        max_leaf_nodes=15,
        min_samples_leaf=20,
        l2_regularization=1.0,
        max_features=0.5,
        early_stopping=False,
        random_state=7,
    ).fit(rows, gold, sample_weight=weights)
    assert trees.logits(rows) == pytest.approx(model.decision_function(rows))
    assert trees.logits(rows[:0]).shape == (0,)
