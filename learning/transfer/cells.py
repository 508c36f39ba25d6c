"""The cells of a transfer study: a baseline for each task and a model for each ordered pair, with each seed.

A cell is named by all that its numbers depend on, so that one that is done is found again whatever else of the study
was changed, and one whose data or choices were changed is not.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from corpus.atomic_files import replace_file
from learning.transfer.splitting import Task
from learning.transfer.study import TransferStudy

# To be raised with every change by which the same study would give other numbers.
METHOD = 1
FOLDER, ENDING = "cells", ".cell"


class Description(msgspec.Struct, frozen=True):
    """What a task looks like to the backbone: the mean embedding of its texts, and the Fisher information of its
    baseline by component (the empirical one, of biases and norms, from the gold labels)."""

    embedding: tuple[float, ...]
    fisher: dict[str, tuple[float, ...]]


class CellRequest(msgspec.Struct, frozen=True):
    """A baseline has no source. `adapter` is what the source's baseline with this seed learned."""

    target: str
    seed: int
    source: str = ""
    adapter: bytes = b""
    describes: bool = False


class CellAnswer(msgspec.Struct, frozen=True):
    """`predictions` are of the target's test part, in its order: places of classes, or numbers.

    `dev_score` is the metric on the validation part by which the epoch was chosen. Baselines keep their adapter.
    """

    target: str
    seed: int
    source: str
    predictions: tuple[float, ...]
    dev_score: float
    adapter: bytes = b""
    description: Description | None = None


@dataclass(frozen=True, slots=True)
class GridCell:
    """`file` is the name of its answer."""

    source: str
    target: str
    seed: int
    describes: bool
    file: str

    @property
    def is_baseline(self) -> bool:
        return not self.source

    def __str__(self) -> str:
        way = self.target if self.is_baseline else f"{self.source} → {self.target}"
        return f"{way}, seed {self.seed}"


def grid_of(study: TransferStudy, tasks: Sequence[Task]) -> tuple[GridCell, ...]:
    """Baselines first; then pairs by target, so that a worker that has read a target's texts can use them again."""
    choices = _digest(METHOD, study.training)
    data = {task.name: _digest(task) for task in tasks}

    def cell(source: str, target: str, seed: int) -> GridCell:
        describes = not source and seed == study.first_seed
        key = _digest(choices, data.get(source, ""), data[target], seed, describes)[:12]
        way = f"{_slug(source)}--{_slug(target)}" if source else _slug(target)
        return GridCell(source, target, seed, describes, f"{way}--{seed}--{key}{ENDING}")

    seeds = study.every_seed
    names = [task.name for task in tasks]
    baselines = [cell("", name, seed) for name in names for seed in seeds]
    pairs = [
        cell(source, target, seed)
        for target in names
        for source in names
        if source != target
        for seed in seeds
    ]
    return (*baselines, *pairs)


@dataclass(frozen=True, slots=True)
class CellStore:
    """A file for each finished cell, which appears whole."""

    folder: Path

    def path(self, cell: GridCell) -> Path:
        return self.folder / FOLDER / cell.file

    def has(self, cell: GridCell) -> bool:
        return self.path(cell).is_file()

    def keep(self, cell: GridCell, answer: bytes) -> None:
        self.path(cell).parent.mkdir(parents=True, exist_ok=True)
        replace_file(self.path(cell), answer)

    def read(self, cell: GridCell) -> CellAnswer:
        try:
            return msgspec.msgpack.decode(self.path(cell).read_bytes(), type=CellAnswer)
        except (OSError, msgspec.MsgspecError) as error:
            raise CellUnreadable(self.path(cell)) from error

    def answers(self, cells: Sequence[GridCell]) -> Iterator[CellAnswer]:
        return (self.read(cell) for cell in cells)


class CellUnreadable(ValueError):
    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is damaged or gone. Delete it if it is there, and run the study again.")


def predictions_by_cell(
    answers: Mapping[GridCell, CellAnswer],
) -> dict[tuple[str, str], dict[int, tuple[float, ...]]]:
    """By source and target, "" for baselines, and by seed."""
    found: dict[tuple[str, str], dict[int, tuple[float, ...]]] = {}
    for cell, answer in answers.items():
        found.setdefault((cell.source, cell.target), {})[cell.seed] = answer.predictions
    return found


def _digest(*things: object) -> str:
    return hashlib.sha256(msgspec.json.encode(things, order="deterministic")).hexdigest()


def _slug(name: str) -> str:
    """
    >>> _slug("News: empathy!")
    'news-empathy'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:40] or "task"
