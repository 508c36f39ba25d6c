"""What training goes by is about codes of which the validation part can tell something."""

from __future__ import annotations

import numpy as np
import pytest

from annotation.answers import ItemText
from codebook.questions import model_questions
from codebook.shipped import load_shipped
from ml_backend.examples import Example, Target
from ml_backend.learners.dev_scores import dev_f1
from ml_backend.learners.scores import Scores

ONE, OTHER = model_questions(load_shipped("epitome"))[:2]
SAYS = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]


def scored(gold: list[tuple[int, int]], said: list[tuple[int, int]]) -> float | None:
    dev = [
        Example(
            ItemText(str(at), "", "post", "reply"),
            {ONE.code_id: Target(one, 1.0), OTHER.code_id: Target(other, 1.0)},
        )
        for at, (one, other) in enumerate(gold)
    ]
    scores = [
        {ONE.code_id: Scores(np.array(SAYS[one])), OTHER.code_id: Scores(np.array(SAYS[other]))}
        for one, other in said
    ]
    return dev_f1([ONE, OTHER], dev, scores)


def test_a_code_with_one_answer_alone_is_left_out() -> None:
    gold = [(0, 0), (0, 0), (1, 0), (1, 0)]
    right, alarms = [(0, 0), (0, 0), (1, 0), (0, 0)], [(0, 1), (0, 0), (1, 0), (0, 1)]
    assert scored(gold, right) == scored(gold, alarms) == pytest.approx((0.8 + 2 / 3) / 2)


def test_where_nothing_can_be_told_there_is_none() -> None:
    assert scored([(0, 0), (0, 0)], [(0, 0), (0, 1)]) is None
