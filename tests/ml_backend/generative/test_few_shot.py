"""Few-shot prompting as a learner, on a tiny random model."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from annotation.answers import ItemText
from codebook.questions import model_questions
from codebook.shipped import load_shipped
from ml_backend.examples import Example
from ml_backend.generative.config import FewShotConfig
from ml_backend.generative.demonstrations import chosen_demonstrations
from ml_backend.generative.few_shot import FewShot
from ml_backend.generative.model import load_model
from ml_backend.generative.prompts import Demonstration, Prompting
from ml_backend.learners.interface import Input
from tests.ml_backend.fixtures import examples, quiet
from tests.ml_backend.learners.contract import EPITOME, LearnerContract

CAUSES = load_shipped("empathy-cause")
REACTIONS = model_questions(EPITOME)[0]


class TestFewShot(LearnerContract):
    learner_type = FewShot
    n_train, n_dev, n_asked = 24, 3, 3

    @pytest.fixture
    def config(self, tiny_instruct: str) -> FewShotConfig:
        return FewShotConfig(backbone=tiny_instruct, demonstrations=4, answer_tokens=12, max_tokens=1024)


@pytest.fixture(scope="module")
def prompting(tiny_instruct: str) -> Prompting:
    backbone = load_model(tiny_instruct, four_bit=False, report=quiet)
    return Prompting(backbone, REACTIONS, FewShotConfig(max_tokens=1024))


def chosen(prompting: Prompting, train: list[Example], seed: int = 1) -> tuple[Demonstration, ...]:
    return chosen_demonstrations(prompting, train, most=6, seed=seed, evidence=True)


def test_as_many_of_each_answer_are_shown_with_their_words(prompting: Prompting) -> None:
    train = [*examples(EPITOME, 60), *(examples(EPITOME, 1, start=3 * number)[0] for number in range(20, 40))]
    found = chosen(prompting, train)
    answers = [json.loads(each.answer) for each in found]
    assert Counter(each["answer"] for each in answers) == {"None": 2, "Weak": 2, "Strong": 2}
    for each, answer in zip(found, answers, strict=True):
        assert all(quote in each.asked for quote in answer.get("quotes", []))
        assert ("quotes" in answer) == (answer["answer"] != "None")


def test_the_seed_chooses(prompting: Prompting) -> None:
    train = examples(EPITOME, 60)
    assert chosen(prompting, train) == chosen(prompting, train[::-1])
    assert chosen(prompting, train) != chosen(prompting, train, seed=2)


def test_a_text_that_does_not_fit_is_not_shown_in_part(prompting: Prompting) -> None:
    long = [
        Example(ItemText(each.item_id, "", "", "cloudy " * 500), each.targets)
        for each in examples(EPITOME, 6)
    ]
    short = examples(EPITOME, 4, start=6)
    found = chosen(prompting, [*long, *short])
    assert len(found) == 4 and not any("cloudy" in each.asked for each in found)


def test_each_sentence_can_be_a_question_of_its_own(tiny_instruct: str) -> None:
    """What is said of a sentence then depends on it and the reply alone, and on none of the others."""
    config = FewShotConfig(
        backbone=tiny_instruct,
        demonstrations=4,
        max_tokens=1024,
        by_sentence=True,
        input=Input.PAIR,
    )
    learner = FewShot(model_questions(CAUSES), config)
    learner.fit(examples(CAUSES, 12), [], seed=1, report=quiet)
    (shown,) = learner.demonstrations.values()
    assert Counter(each.answer for each in shown) == {'{"1": "no"}': 2, '{"1": "yes"}': 2}
    assert all("[1] " in each.asked and "[2] " not in each.asked for each in shown)
    (on,) = examples(CAUSES, 1, start=30)
    longer = replace(on, text=replace(on.text, post=f"{on.text.post} And so on."))
    first, second = learner._scores([on, longer], quiet)
    marks, more = first["empathy-cause"].marks, second["empathy-cause"].marks
    assert marks is not None and more is not None and len(more) == len(marks) + 1 == 4
    assert more[:3] == pytest.approx(marks, abs=1e-4) and len(set(marks.round(6).tolist())) == 3
