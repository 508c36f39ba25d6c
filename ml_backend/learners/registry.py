"""The learners by name; each is imported when it is asked for, since torch takes seconds to load."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ml_backend.learners.interface import Config, Learner
from ml_backend.learners.names import LEARNERS


class UnknownLearner(ValueError):
    def __init__(self, name: str) -> None:
        super().__init__(f"There is no learner {name!r}: choose from {', '.join(LEARNERS)}.")


class InvalidOption(ValueError):
    def __init__(self, learner: str, problem: object) -> None:
        super().__init__(f"The learner {learner} cannot be asked for this: {problem}.")


def learner_type(name: str) -> type[Learner]:
    match name:
        case "encoder-lora":
            from ml_backend.encoder.learner import EncoderLora

            return EncoderLora
        case "encoder-tfidf":
            from ml_backend.learners.blend import EncoderTfidf

            return EncoderTfidf
        case "generative-lora":
            from ml_backend.generative.learner import GenerativeLora

            return GenerativeLora
        case "few-shot":
            from ml_backend.generative.few_shot import FewShot

            return FewShot
        case "tfidf-logistic":
            from ml_backend.learners.tfidf import TfidfLogistic

            return TfidfLogistic
        case "majority":
            from ml_backend.learners.shares import Majority

            return Majority
        case "random":
            from ml_backend.learners.shares import RandomByShare

            return RandomByShare
    raise UnknownLearner(name)


def configured(learner: type[Learner], options: Mapping[str, Any]) -> Config:
    """What is not given keeps the learner's own default; what it does not know is refused."""
    try:
        return msgspec.convert(dict(options), type=learner.config_type)
    except msgspec.ValidationError as error:
        raise InvalidOption(learner.name, error) from error
