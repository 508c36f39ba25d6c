"""Thresholds and temperatures are found where there is enough to find them by, and left alone where there is not."""

from __future__ import annotations

import numpy as np
import pytest

from annotation.answers import ItemText
from codebook.questions import ModelQuestion, model_questions
from codebook.shipped import load_shipped
from ml_backend.examples import Example, Target
from ml_backend.learners.calibration import fitted_rules
from ml_backend.learners.scores import Rule, Scores, code_prediction

TICK = model_questions(load_shipped("empathy-practices"))[0]
LEVELS = model_questions(load_shipped("epitome"))[0]
SCALE = model_questions(load_shipped("construct-ratings"))[0]


def rule(question: ModelQuestion, gold: list[int], logits: list[list[float]]) -> Rule:
    dev = [
        Example(ItemText(str(at), "", "post", "reply"), {question.code_id: Target(value, 1.0)})
        for at, value in enumerate(gold)
    ]
    scores = [{question.code_id: Scores(np.array(row))} for row in logits]
    return fitted_rules([question], dev, scores)[question.code_id]


def test_a_learner_that_is_too_sure_is_made_less_so() -> None:
    """Right in three of four with a certainty of nearly 1: the calibrated one is 0.75."""
    gold = [0, 0, 0, 1] * 25
    found = rule(TICK, gold, [[4.0, 0.0]] * 100)
    assert found.temperature > 2
    prediction = code_prediction(TICK, Scores(np.array([4.0, 0.0])), found)
    assert dict(prediction.probabilities)[0] == pytest.approx(0.75, abs=0.02)


def test_a_threshold_is_set_where_a_rare_code_is_never_said() -> None:
    gold = [1] * 10 + [0] * 90
    logits = [[0.0, -1.0]] * 10 + [[0.0, -3.0]] * 90
    found = rule(TICK, gold, logits)
    assert [code_prediction(TICK, Scores(np.array(row)), found).value for row in logits] == gold
    assert code_prediction(TICK, Scores(np.array(logits[0])), Rule()).value == 0


def test_each_level_can_be_weighed_up() -> None:
    gold = [0] * 60 + [1] * 5 + [2] * 20
    logits = [[2.0, 0.0, 0.0]] * 60 + [[1.0, 0.5, 0.9]] * 5 + [[0.0, 0.0, 2.0]] * 20
    found = rule(LEVELS, gold, logits)
    assert [code_prediction(LEVELS, Scores(np.array(row)), found).value for row in logits] == gold


def test_with_few_labels_nothing_is_set() -> None:
    assert rule(TICK, [1, 0, 0], [[0.0, -1.0]] * 3) == Rule()
    assert rule(TICK, [1] + [0] * 30, [[0.0, -1.0]] * 31).offsets == (0.0, 0.0)


def test_on_a_scale_the_median_is_said() -> None:
    split = np.log(np.array([0.4, 0.05, 0.1, 0.05, 0.4]))
    assert code_prediction(SCALE, Scores(split), Rule()).value == 3


def test_neighbouring_words_make_one_span() -> None:
    marks = np.array([3.0, 2.0, -3.0, -3.0, -3.0, 1.0, -1.0, 1.0])
    places = ((0, 2), (3, 5), (6, 8), (9, 11), (12, 14), (15, 17), (18, 20), (21, 23))
    found = code_prediction(LEVELS, Scores(np.array([0.0, 0.0, 5.0]), places, marks), Rule())
    assert [(span.start, span.end) for span in found.spans] == [(0, 5), (15, 23)]
    assert code_prediction(LEVELS, Scores(np.array([5.0, 0.0, 0.0]), places, marks), Rule()).spans == ()


def word_rule(gold_words: range, marks: list[list[float]]) -> Rule:
    """Of items with ten words each, of which gold marks the same ones."""
    places = tuple((3 * at, 3 * at + 2) for at in range(10))
    shown = tuple(places[at] for at in gold_words)
    code = LEVELS.code_id
    dev = [
        Example(ItemText(str(at), "", "post", "reply"), {code: Target(2, 1.0, shown)})
        for at in range(len(marks))
    ]
    scores = [{code: Scores(np.array([0.0, 0.0, 1.0]), places, np.array(row))} for row in marks]
    return fitted_rules([LEVELS], dev, scores)[code]


def test_the_threshold_for_words_is_where_evidence_is_best() -> None:
    found = word_rule(range(3), [[0.5] * 3 + [0.2] * 7] * 12)
    assert 0.5498 < found.mark_threshold <= 0.6225


def test_every_word_is_marked_where_nothing_better_is_known() -> None:
    rng = np.random.default_rng(3)
    found = word_rule(range(9), rng.normal(-4.0, 2.0, size=(12, 10)).tolist())
    assert found.mark_threshold == 0.0


def test_a_threshold_does_not_follow_one_lucky_label() -> None:
    """One of four rare labels needs a far offset: resamples without it do not."""
    gold = [0] * 60 + [1] * 4 + [2] * 20
    needed = 0.2
    logits = (
        [[2.0, -1.0, 0.0]] * 60 + [[0.0, 2.0, 0.0]] * 3 + [[1.0, 1.0 - needed, 0.0]] + [[0.0, 0.0, 2.0]] * 20
    )
    found = rule(LEVELS, gold, logits)
    assert 0 < found.offsets[1] < needed / found.temperature
