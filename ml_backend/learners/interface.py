"""What every learner does: fit on examples, predict with probabilities and evidence, save to a folder, load from it."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind, Part
from learning.predictions.explanations import ItemExplanation
from learning.predictions.rows import ItemPrediction
from learning.tasks.progress import TrainingPoint
from ml_backend.examples import Example
from ml_backend.learners.checkpoint import Checkpoint

Report = Callable[[str], None]
OnPoint = Callable[[TrainingPoint], None]
SETTINGS = "learner.json"


class Input(StrEnum):
    """What a learner reads of an item when it answers a question."""

    ALONE = "alone"
    PAIR = "pair"
    BI_ENCODER = "bi-encoder"


class InputNotTaken(ValueError):
    def __init__(self, learner: str, taken: Sequence[Input]) -> None:
        super().__init__(f"The learner {learner} reads {' or '.join(taken)}: choose --input so.")


class NothingAsked(ValueError):
    def __init__(self, learner: str, taken: Sequence[AnswerKind]) -> None:
        kinds = " or ".join(taken)
        super().__init__(
            f"The learner {learner} learns codes that are answered by {kinds}, and no labelled code of the release is. "
            "Choose another learner, or a release whose codebook has such a question."
        )


class OneAnswerAlone(ValueError):
    def __init__(self, codes: Sequence[str]) -> None:
        super().__init__(
            f"The train part has one class alone for {', '.join(codes)}: of its sentences all are marked, or none. "
            "Train on a release in whose train part some are and some are not."
        )


class NotExplained(ValueError):
    def __init__(self, learner: str) -> None:
        super().__init__(
            f"The learner {learner} cannot say why it answers so: leave out --explain, or train an adapter with "
            "--learner micromodels."
        )


class ParentUnfit(ValueError):
    def __init__(self, why: str) -> None:
        super().__init__(f"Training cannot begin from this adapter: {why}")


class SettingsUnreadable(ValueError):
    def __init__(self, path: Path, problem: object) -> None:
        super().__init__(
            f"{path} holds no settings that this version reads ({problem}). Fetch an intact adapter."
        )


class WeightsUnreadable(ValueError):
    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} does not hold what was learned. Fetch an intact adapter.")


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What one can ask of a learner; each learner that can be asked for more has a kind of its own."""

    input: Input = Input.ALONE


class Learner(ABC):
    """`questions` are those it answers; an item without the judged part is not asked. `uses_torch` says whether threads
    of torch are of any use to it, and `answers` which kinds of questions it can learn."""

    name: ClassVar[str]
    uses_torch: ClassVar[bool] = True
    inputs: ClassVar[tuple[Input, ...]]
    answers: ClassVar[tuple[AnswerKind, ...]] = tuple(AnswerKind)
    config_type: ClassVar[type[Config]] = Config

    def __init__(self, questions: Sequence[ModelQuestion], config: Config) -> None:
        if config.input not in self.inputs:
            raise InputNotTaken(self.name, self.inputs)
        self.questions = tuple(question for question in questions if question.answer in self.answers)
        if questions and not self.questions:
            raise NothingAsked(self.name, self.answers)
        self.config: Any = config

    def begin_from(self, parent: Learner) -> None:
        """Has `fit` start from what the parent learned. Raises ParentUnfit."""
        raise ParentUnfit(f"the learner {self.name} always learns anew. Train without a parent.")

    @abstractmethod
    def fit(
        self,
        train: Sequence[Example],
        dev: Sequence[Example],
        *,
        seed: int,
        report: Report,
        checkpoint: Checkpoint | None = None,
        on_point: OnPoint | None = None,
    ) -> None:
        """The same examples, configuration and seed give the same learner; `dev` may be empty.

        One that learns for long keeps its state in the checkpoint, goes on from what it finds there to the very same
        end, and tells how far it is by points of its loss curve. One that takes seconds ignores both.
        """

    @abstractmethod
    def predict(
        self, examples: Sequence[Example], *, adapter_id: str, report: Report
    ) -> tuple[ItemPrediction, ...]:
        """In the order of the examples; one that is asked nothing is left out."""

    def explain(self, examples: Sequence[Example], *, adapter_id: str) -> Iterator[ItemExplanation]:
        """Why it says what it predicts, item by item. Raises NotExplained at once where it cannot tell."""
        raise NotExplained(self.name)

    def only(self: LearnerT, codes: Collection[str]) -> LearnerT:
        """The same learner, asked about some of its codes alone: what only others need is then not even read."""
        found = copy.copy(self)
        found.questions = tuple(question for question in self.questions if question.code_id in codes)
        return found

    def embed(self, examples: Sequence[Example]) -> NDArray[np.float32]:
        """A row for each example, near each other where the texts are alike: by their words, where a learner knows no
        better."""
        from ml_backend.learners.vocabulary import embedded_by_words

        return embedded_by_words(examples)

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Into a folder that is there, as JSON and safetensors alone."""

    @classmethod
    @abstractmethod
    def load(cls: type[LearnerT], folder: Path, questions: Sequence[ModelQuestion]) -> LearnerT:
        """`questions` are all of the codebook's, of which the folder says which were learned."""


LearnerT = TypeVar("LearnerT", bound=Learner)


def context_of(question: ModelQuestion, mode: Input) -> tuple[Part, ...]:
    """What is read besides the judged part: what the codebook says, and the post for a reply where it says nothing."""
    if mode is Input.ALONE:
        return ()
    if question.context:
        return question.context
    return (Part.POST,) if question.part is Part.REPLY else ()


SettingsT = TypeVar("SettingsT")


def write_settings(folder: Path, settings: object) -> None:
    content = msgspec.json.format(msgspec.json.encode(settings, order="deterministic"), indent=2)
    (folder / SETTINGS).write_bytes(content + b"\n")


def read_settings(folder: Path, kind: type[SettingsT]) -> SettingsT:
    path = folder / SETTINGS
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError) as error:
        raise SettingsUnreadable(path, error) from error
