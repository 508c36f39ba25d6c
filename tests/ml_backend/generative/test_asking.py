"""What is made of a model's answers: probabilities, quotes that are found again, and counts of what went wrong."""

from __future__ import annotations

import pytest

from annotation.answers import ItemText
from codebook.questions import ModelQuestion, model_questions
from codebook.shipped import load_shipped
from learning.predictions.rows import CodePrediction
from ml_backend.encoder.backbone import Backbone
from ml_backend.examples import Example
from ml_backend.generative.answer_form import QUOTES, head, sentence_piece
from ml_backend.generative.asking import Asking, Tally
from ml_backend.generative.config import PromptConfig
from ml_backend.generative.model import load_model
from ml_backend.generative.prompts import Prompting
from ml_backend.learners.scores import Rule
from tests.ml_backend.fixtures import quiet
from tests.ml_backend.generative.parrot import parrot

REACTIONS = model_questions(load_shipped("epitome"))[0]
CAUSES = model_questions(load_shipped("empathy-cause"))[0]
REPLY = "I’m so sorry for you. That must be hard. Call me!"
ITEM = Example(ItemText("one", "", "My dog died. I am alone. It rains.", REPLY))


@pytest.fixture(scope="module")
def backbone(tiny_instruct: str) -> Backbone:
    return load_model(tiny_instruct, four_bit=False, report=quiet)


def asked(
    backbone: Backbone,
    *pieces: str,
    question: ModelQuestion = REACTIONS,
    seen: tuple[int, ...] = (0, 1, 2),
    evidence: bool = True,
) -> tuple[CodePrediction, Tally]:
    """What comes of a model that answers so."""
    config = PromptConfig(evidence=evidence)
    tally = Tally()
    prompting = Prompting(backbone, question, config)
    asking = Asking(parrot(backbone, *pieces), prompting, config, seen, tally)
    return asking.prediction(ITEM, Rule()), tally


def quoted(backbone: Backbone, rest: str) -> tuple[list[str], Tally]:
    prediction, tally = asked(backbone, head(REACTIONS, 2), QUOTES, rest)
    assert prediction.value == 2 and prediction.probability_of(frozenset({2})) == pytest.approx(1, abs=1e-6)
    return [REPLY[span.start : span.end] for span in prediction.spans], tally


def test_quotes_become_places_in_the_text(backbone: Backbone) -> None:
    words, tally = quoted(backbone, ' ["Call me", "I\'m so sory for you"]}')
    assert words == ["I’m so sorry for you", "Call me"]
    assert (tally.quotes, tally.inexact, tally.invented, tally.not_json) == (2, 1, 0, 0)


def test_an_invented_quote_is_counted_and_marks_nothing(backbone: Backbone) -> None:
    words, tally = quoted(backbone, ' ["Call me!", "I love you dearly"]}')
    assert words == ["Call me!"]
    told: list[str] = []
    tally.tell(told.append, 1)
    assert told == ["Quotes: 2 in 1 answers, 0 copied with small errors, 1 invented and left out"]


@pytest.mark.parametrize(
    "rest",
    [
        ' ["Call me"',
        ' "Call me"}',
        " [Call me]}",
        ' ["Call me"], "sure": true}',
        ' ["Call me", 3]}',
        " because it is kind",
        "",
    ],
)
def test_an_answer_that_is_no_valid_json_is_counted_and_the_likeliest_stands(
    backbone: Backbone, rest: str
) -> None:
    words, tally = quoted(backbone, rest)
    assert words == []
    assert (tally.asked_for_quotes, tally.not_json, tally.quotes) == (1, 1, 0)
    told: list[str] = []
    tally.tell(told.append, 1)
    assert any(line.startswith("Answers that were no valid JSON: 1 of 1") for line in told)


def test_where_a_code_is_absent_nothing_is_quoted(backbone: Backbone) -> None:
    prediction, tally = asked(backbone, head(REACTIONS, 0), "}")
    assert prediction.value == 0 and prediction.spans == () and tally.asked_for_quotes == 0


def test_quotes_can_be_done_without(backbone: Backbone) -> None:
    prediction, tally = asked(backbone, head(REACTIONS, 2), QUOTES, ' ["Call me"]}', evidence=False)
    assert prediction.value == 2 and prediction.spans == () and tally.asked_for_quotes == 0


def test_an_answer_that_no_training_label_gave_is_not_said(backbone: Backbone) -> None:
    prediction, _ = asked(backbone, head(REACTIONS, 2), seen=(0, 1))
    assert prediction.value in (0, 1)
    assert sum(p for _, p in prediction.probabilities) == pytest.approx(1)


def test_sentences_are_answered_one_after_the_other(backbone: Backbone) -> None:
    pieces = [sentence_piece(1, True), sentence_piece(2, False), sentence_piece(3, True)]
    prediction, _ = asked(backbone, *pieces, question=CAUSES, seen=(0, 1))
    assert [ITEM.text.post[span.start : span.end] for span in prediction.spans] == [
        "My dog died.",
        "It rains.",
    ]
    assert prediction.value == 1
    unmarked, _ = asked(backbone, *pieces, question=CAUSES, seen=(0,))
    assert unmarked.value == 0 and unmarked.spans == ()
