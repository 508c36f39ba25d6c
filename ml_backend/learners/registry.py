"""The learners by name; each is imported when it is asked for, since torch takes seconds to load."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import msgspec

from learning.learners.options import TARGETS
from learning.learners.registry import LEARNERS, learner_spec
from ml_backend.learners.interface import Config, Learner


class InvalidOption(ValueError):
    def __init__(self, learner: str, problem: object) -> None:
        super().__init__(f"The learner {learner} cannot be asked for this: {problem}.")


def learner_type(name: str) -> type[Learner]:
    """Raises UnknownLearner."""
    module, _, class_name = learner_spec(name).implementation.partition(":")
    found: type[Learner] = getattr(import_module(module), class_name)
    return found


def make_config(learner: type[Learner], options: Mapping[str, Any]) -> Config:
    """What is not given keeps the learner's own default; what it does not know is refused."""
    if TARGETS.name in options and TARGETS.name not in learner.config_type.__struct_fields__:
        raise InvalidOption(learner.name, _hard_labels_alone())
    try:
        return msgspec.convert(dict(options), type=learner.config_type)
    except msgspec.ValidationError as error:
        raise InvalidOption(learner.name, error) from error


def _hard_labels_alone() -> str:
    takers = [each.name for each in LEARNERS if any(option.name == TARGETS.name for option in each.options)]
    return f"it learns one label of an item; --targets is for {', '.join(takers)}"
