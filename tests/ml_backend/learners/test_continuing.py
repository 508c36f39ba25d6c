"""Training that begins from an adapter: what is taken over, and which ones do not fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from codebook.questions import ModelQuestion, model_questions
from codebook.schema import Part
from ml_backend.encoder.config import EncoderConfig
from ml_backend.encoder.learner import EncoderLora
from ml_backend.examples import Example
from ml_backend.learners.continuing import check_parent, config_from
from ml_backend.learners.interface import Input, ParentUnfit
from ml_backend.learners.shares import Majority
from tests.ml_backend.encoder.test_learner import quick
from tests.ml_backend.fixtures import examples, quiet
from tests.ml_backend.learners.contract import EPITOME
from tests.ml_backend.learners.test_tfidf import share_right

QUESTIONS = model_questions(EPITOME)


def learner_of(
    config: EncoderConfig,
    questions: Sequence[ModelQuestion] = QUESTIONS,
    *,
    parent: EncoderLora | None = None,
    train: list[Example] | None = None,
    told: list[str] | None = None,
) -> EncoderLora:
    learner = EncoderLora(questions, config)
    if parent is not None:
        learner.begin_from(parent)
    dev = examples(EPITOME, 12, start=96)
    report = quiet if told is None else told.append
    learner.fit(train or examples(EPITOME, 96), dev, seed=3, report=report)
    return learner


@pytest.mark.parametrize("full", [False, True])
def test_what_the_parent_learned_is_known_after_a_step_in_which_it_could_not_be_learned(
    tiny_backbone: str, full: bool
) -> None:
    config = quick(tiny_backbone, full=full, epochs=8, learning_rate=1e-2 if not full else 5e-3, patience=8)
    short = quick(tiny_backbone, full=full, epochs=1, learning_rate=1e-6)
    few, on = examples(EPITOME, 16, start=130), examples(EPITOME, 24, start=160)

    def right(learner: EncoderLora) -> float:
        return share_right(on, learner.predict(on, adapter_id="a", report=quiet))

    parent = learner_of(config)
    further, anew = learner_of(short, parent=parent, train=few), learner_of(short, train=few)
    assert right(further) > right(anew) + 0.2 and right(further) > right(parent) - 0.1, (
        right(parent),
        right(anew),
    )


def test_a_new_code_begins_anew_and_a_code_that_is_gone_is_left_out(tiny_backbone: str) -> None:
    parent = learner_of(quick(tiny_backbone), QUESTIONS[:2])
    told: list[str] = []
    child = learner_of(quick(tiny_backbone), QUESTIONS[1:], parent=parent, told=told)
    assert f"Begins from another adapter; anew: {QUESTIONS[2].code_id}" in told
    (found,) = child.predict(examples(EPITOME, 1), adapter_id="a", report=quiet)
    assert [code.code_id for code in found.codes] == [each.code_id for each in QUESTIONS[1:]]


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("rank", 8, "it has rank=4, and 8 is asked for"),
        ("input", Input.PAIR, "it has input='bi-encoder', and 'pair' is asked for"),
        ("full", True, "it has full=False, and True is asked for"),
        ("frozen_layers", 1, "it has frozen_layers=0, and 1 is asked for"),
        ("backbone", "another", "it has backbone=.*, and 'another' is asked for"),
    ],
)
def test_another_shape_is_refused(tiny_backbone: str, option: str, value: object, words: str) -> None:
    parent = EncoderLora(QUESTIONS, quick(tiny_backbone))
    child = EncoderLora(QUESTIONS, msgspec.structs.replace(quick(tiny_backbone), **{option: value}))
    with pytest.raises(ParentUnfit, match=f"{words}.*Leave the option out"):
        child.begin_from(parent)


def test_a_codebook_with_other_questions_is_refused(tiny_backbone: str) -> None:
    config, first = quick(tiny_backbone), QUESTIONS[0]
    parent = EncoderLora(QUESTIONS, config)
    for changed in (replace(first, values=first.values[:2]), replace(first, part=Part.POST)):
        with pytest.raises(ParentUnfit, match=f"other answers or judges another part for {first.code_id}"):
            check_parent(EncoderLora([changed, *QUESTIONS[1:]], config), parent)
    other = [replace(each, code_id=f"new-{each.code_id}") for each in QUESTIONS]
    with pytest.raises(ParentUnfit, match="knows none of the codes"):
        check_parent(EncoderLora(other, config), parent)


def test_another_learner_is_refused(tiny_backbone: str) -> None:
    with pytest.raises(ParentUnfit, match="trained by the learner majority: choose that one"):
        EncoderLora(QUESTIONS, quick(tiny_backbone)).begin_from(Majority(QUESTIONS, Majority.config_type()))


def test_without_a_parent_options_keep_their_defaults(tmp_path: Path) -> None:
    assert config_from(EncoderLora, {"rank": 8}, None) == EncoderConfig(rank=8)
