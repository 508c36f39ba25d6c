"""What people are told about learners is what the learners are."""

from __future__ import annotations

import msgspec
import pytest

from learning.adapters.learners import LEARNERS as DESCRIBED
from learning.adapters.learners import Described, Kind, NotDescribed, described, title_of
from ml_backend.learners.names import LEARNERS
from ml_backend.learners.registry import learner_type

KINDS = {Kind.WHOLE: int, Kind.NUMBER: float, Kind.FLAG: bool, Kind.WORDS: str}


def test_every_learner_is_described() -> None:
    assert {each.name for each in DESCRIBED} == set(LEARNERS)


@pytest.mark.parametrize("each", DESCRIBED, ids=lambda each: each.name)
def test_inputs_and_options_are_those_of_the_learner(each: Described) -> None:
    learner = learner_type(each.name)
    assert set(each.inputs) == {str(taken) for taken in learner.inputs}
    fields = {field.name: field for field in msgspec.structs.fields(learner.config_type)}
    assert {option.name for option in each.options} == set(fields) - {"input"}
    assert each.inputs[0] == fields["input"].default
    for option in each.options:
        default = fields[option.name].default
        if default is not None:
            assert type(default) is KINDS[option.kind] or isinstance(default, KINDS[option.kind])
            shown = {"yes": "True", "no": "False"}.get(option.default, option.default)
            assert str(default).removesuffix(".0") == shown


def test_one_that_is_not_there_is_named() -> None:
    with pytest.raises(NotDescribed, match="choose from encoder-lora"):
        described("dreams")
    assert title_of("dreams") == "dreams"
