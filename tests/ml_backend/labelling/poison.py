"""A shard that stops whichever worker takes it, found by workers under its dotted name."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from learning.labelling.staging import read_texts
from ml_backend.labelling import shards
from ml_backend.labelling.shards import ShardLabeller
from ml_backend.pools.interface import Cell, Outcomes, Pool, Work

POISON = "poison"


def label_shard(labeller: ShardLabeller, texts: bytes) -> bytes:
    if read_texts(texts)[1][0].item_id == POISON:
        os.kill(os.getpid(), signal.SIGKILL)
    return shards.label_shard(labeller, texts)


@dataclass(frozen=True)
class PoisonedPool:
    pool: Pool

    def run(self, work: Work, cells: Iterable[Cell], **more: Any) -> Outcomes:
        return self.pool.run(replace(work, function=f"{__name__}.label_shard"), cells, **more)
