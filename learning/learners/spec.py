"""What people are told about a learner and may ask of it: pages, commands and checks all read it from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from codebook.schema import AnswerKind

INPUTS = {
    "alone": "The judged text alone",
    "pair": "Context and text as one",
    "bi-encoder": "Each by itself, with attention from the text to its context",
}
SHORT_INPUTS = {"alone": "alone", "pair": "post + reply", "bi-encoder": "bi-encoder"}
RATE = "learning_rate"


class Kind(StrEnum):
    """What an option's value is."""

    WORDS = "words"
    WHOLE = "whole"
    NUMBER = "number"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class Option:
    """`default` is what holds where nothing is given, in words. A whole number is at least `least`; words are one of
    `choices`, if there are any."""

    name: str
    label: str
    kind: Kind
    default: str
    help: str = ""
    least: int = 1
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LearnerSpec:
    """`implementation` is `module:class` in the ML backend, imported only when it is used; it has the same defaults.

    The first input is the default; a grid makes sense where there is a learning rate. Learners are listed by `rank`,
    and the first one is the default. `in_docs` and `evidence` are its row in docs/models.md. `answers` are the kinds
    of questions that it can learn. `kept` are the options that have to be as they are in an adapter that training
    begins from; one without any always learns anew.
    """

    name: str
    title: str
    words: str
    inputs: tuple[str, ...]
    implementation: str
    in_docs: str
    evidence: str
    rank: int
    options: tuple[Option, ...] = ()
    is_baseline: bool = False
    reads_text: bool = True
    answers: tuple[AnswerKind, ...] = tuple(AnswerKind)
    kept: tuple[str, ...] = ()

    @property
    def has_rate(self) -> bool:
        return any(option.name == RATE for option in self.options)

    @property
    def can_continue(self) -> bool:
        return bool(self.kept)


def learns_evidence(config: Mapping[str, object]) -> bool:
    """Whether an adapter with this configuration learned words as evidence.

    >>> learns_evidence({"evidence_weight": 0.5}), learns_evidence({"evidence_weight": 0.0}), learns_evidence({})
    (True, False, False)
    """
    if "evidence" in config:
        return bool(config["evidence"])
    return bool(config.get("evidence_weight", 0))
