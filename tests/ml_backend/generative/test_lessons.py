"""Only answers are learned, each counts by its weight, and padding changes nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from annotation.answers import ItemText
from codebook.questions import ModelQuestion, model_questions
from codebook.shipped import load_shipped
from ml_backend.encoder.backbone import Backbone
from ml_backend.examples import Example, Target
from ml_backend.generative.config import PromptConfig
from ml_backend.generative.lessons import NOT_LEARNED, Lesson, lesson_tensors, lessons_of, loss_of
from ml_backend.generative.model import load_model
from ml_backend.generative.prompts import Prompting
from tests.ml_backend.fixtures import examples, quiet

EPITOME = load_shipped("epitome")
REACTIONS = model_questions(EPITOME)[0]
END = 1


@pytest.fixture(scope="module")
def backbone(tiny_instruct: str) -> Backbone:
    return load_model(tiny_instruct, four_bit=False, report=quiet)


def taught(
    backbone: Backbone, on: list[Example], question: ModelQuestion = REACTIONS, **asked: object
) -> list[Lesson]:
    config = PromptConfig(**asked)  # type: ignore[arg-type]
    return lessons_of(Prompting(backbone, question, config), on, evidence=config.evidence, end=END)


def words(backbone: Backbone, lesson: Lesson) -> str:
    return str(backbone.tokenizer.decode(list(lesson.answer)))


def test_only_the_answer_is_learned(backbone: Backbone) -> None:
    lessons = taught(backbone, examples(EPITOME, 3))
    tensors = lesson_tensors(lessons, pad=0)
    for row, lesson in enumerate(lessons):
        learned = tensors.labels[row] != NOT_LEARNED
        assert tensors.labels[row][learned].tolist() == list(lesson.answer)
        assert tensors.ids[row][learned].tolist() == list(lesson.answer)
        assert int(tensors.is_token[row].sum()) == len(lesson.prompt) + len(lesson.answer)
        assert not learned[: -len(lesson.answer)].any()


def test_the_prompt_adds_nothing_to_the_loss(backbone: Backbone) -> None:
    """The loss is that of the answer's tokens alone, each given everything before it."""
    (lesson,) = taught(backbone, examples(EPITOME, 1))
    ids = torch.tensor([lesson.prompt + lesson.answer])
    with torch.inference_mode():
        logits = backbone.model(input_ids=ids).logits[0].log_softmax(dim=-1)
        found = loss_of(backbone.model, lesson_tensors([lesson], pad=0))
    start = len(lesson.prompt)
    by_hand = [-float(logits[start + at - 1, token]) for at, token in enumerate(lesson.answer)]
    assert float(found[0]) == pytest.approx(sum(by_hand) / len(by_hand), abs=1e-5)


def test_padding_and_company_change_no_loss_and_weights_count(backbone: Backbone) -> None:
    lessons = taught(backbone, examples(EPITOME, 3))
    lessons[1] = replace(lessons[1], weight=2.5, prompt=lessons[1].prompt[-40:])
    with torch.inference_mode():
        together = loss_of(backbone.model, lesson_tensors(lessons, pad=0))
        alone = [float(loss_of(backbone.model, lesson_tensors([each], pad=0))) for each in lessons]
        unweighted = loss_of(backbone.model, lesson_tensors([replace(lessons[1], weight=1.0)], pad=0))
    assert together.tolist() == pytest.approx(alone, abs=1e-4)
    assert alone[1] == pytest.approx(2.5 * float(unweighted), abs=1e-4)


def test_answers_are_the_json_that_is_asked_for(backbone: Backbone) -> None:
    absent, weak, _ = taught(backbone, examples(EPITOME, 3))
    assert words(backbone, absent) == '{"answer": "None"}<|end|>'
    assert words(backbone, weak) == '{"answer": "Weak", "quotes": ["heavy clouds stay all day"]}<|end|>'
    (_, plain, _) = taught(backbone, examples(EPITOME, 3), evidence=False)
    assert words(backbone, plain) == '{"answer": "Weak"}<|end|>'


def test_a_label_without_words_teaches_no_quotes_and_no_end(backbone: Backbone) -> None:
    bare = replace(examples(EPITOME, 2)[1], targets={REACTIONS.code_id: Target(1, 1.0)})
    (lesson,) = taught(backbone, [bare])
    assert words(backbone, lesson) == '{"answer": "Weak"'


def test_sentences_and_scales(backbone: Backbone) -> None:
    causes, ratings = load_shipped("empathy-cause"), load_shipped("construct-ratings")
    (marked,) = taught(backbone, examples(causes, 2)[1:], model_questions(causes)[0])
    assert words(backbone, marked) == '{"1": "no", "2": "yes", "3": "no"}<|end|>'
    (rating,) = taught(backbone, examples(ratings, 1), model_questions(ratings)[0])
    assert words(backbone, rating) == '{"answer": "1"}<|end|>'


def test_quotes_beyond_what_is_shown_or_has_room_are_not_learned(backbone: Backbone) -> None:
    text = "sunny " * 2000 + "at the end"
    marks = ((0, 5), (len(text) - 10, len(text)))
    long = Example(ItemText("long", "", "", text), {REACTIONS.code_id: Target(2, 1.0, marks)})
    (lesson,) = taught(backbone, [long], max_tokens=700, answer_tokens=60)
    assert words(backbone, lesson) == '{"answer": "Strong", "quotes": ["sunny"]}<|end|>'
    assert lesson.n_truncated > 1000 and lesson.length <= 700


def test_what_is_not_labelled_teaches_nothing(backbone: Backbone) -> None:
    assert taught(backbone, [replace(each, targets={}) for each in examples(EPITOME, 2)]) == []
