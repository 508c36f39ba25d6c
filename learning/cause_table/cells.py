"""The cells of the table: each variant with each seed, kept as a file once it is measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from corpus.atomic_files import replace_file
from learning.cause_table.variants import Variant
from learning.predictions.rows import ItemPrediction

# To be raised with every change by which the same variant would give other numbers.
METHOD = 2
FOLDER, ENDING = "cells", ".cell"


class CellAnswer(msgspec.Struct, frozen=True):
    """`predictions` are of the test part, the others by code over its sentences; no AUC where gold has one class."""

    predictions: tuple[ItemPrediction, ...]
    accuracy: dict[str, float]
    roc_auc: dict[str, float | None]


class CellUnreadable(ValueError):
    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is damaged or gone. Delete it if it is there, and run the command again.")


@dataclass(frozen=True, slots=True)
class TableCell:
    variant: Variant
    seed: int
    path: Path

    def __str__(self) -> str:
        return f"{self.variant.title}, seed {self.seed}"

    @property
    def is_done(self) -> bool:
        return self.path.is_file()

    def keep(self, answer: bytes) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(self.path, answer)

    def read(self) -> CellAnswer:
        try:
            return msgspec.msgpack.decode(self.path.read_bytes(), type=CellAnswer)
        except (OSError, msgspec.MsgspecError) as error:
            raise CellUnreadable(self.path) from error


def cells_of(
    folder: Path, release_hash: str, variants: Sequence[Variant], n_seeds: int
) -> tuple[TableCell, ...]:
    """Seeds are 1, 2 and so on. Another release, option or method has cells of its own."""
    return tuple(
        TableCell(
            each,
            seed,
            folder / FOLDER / f"{each.name}--{seed}--{each.key(seed, release_hash, METHOD)}{ENDING}",
        )
        for each in variants
        for seed in range(1, n_seeds + 1)
    )
