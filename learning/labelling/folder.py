"""Where the files of a labelling run lie."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from corpus.folders import Inside


def shard_name(shard: int) -> str:
    """
    >>> shard_name(7)
    '00007.parquet'
    """
    return f"{shard:05d}.parquet"


def shards_in(folder: Path) -> frozenset[int]:
    """Files appear by a rename: one that is there is whole. A listing takes its time where there are many."""
    return frozenset(int(path.stem) for path in folder.glob("[0-9]*.parquet"))


@dataclass(frozen=True, slots=True)
class RunFolder:
    """What stays of a run; the texts lie elsewhere while they are needed (see `learning.labelling.staging`)."""

    path: Path

    facts = Inside("run.json")
    units = Inside("units.parquet")
    labels = Inside("labels")
    manifest = Inside("manifest.json")

    def labels_of(self, shard: int) -> Path:
        return self.labels / shard_name(shard)

    def written_shards(self) -> frozenset[int]:
        return shards_in(self.labels)


@dataclass(frozen=True, slots=True)
class ShardTexts:
    """The texts of a run's shards in its task's folder, where they lie until they are labelled. `staged` is there once
    every shard that is to be labelled has its texts."""

    path: Path

    folder = Inside("texts")
    staged = Inside("staged")

    def of(self, shard: int) -> Path:
        return self.folder / shard_name(shard)

    def remove(self) -> None:
        self.staged.unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)
