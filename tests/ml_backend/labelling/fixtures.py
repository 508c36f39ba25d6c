"""Labelling runs as a job lays them ready, of a few invented texts a shard."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from annotation.answers import ItemText
from codebook.shipped import load_shipped
from learning.adapters.card import CARD
from learning.adapters.folder import read_card
from learning.labelling.folder import RunFolder, ShardTexts
from learning.labelling.staging import TEXT_SCHEMA
from learning.tasks.contract import LabelRequest, LabelResult
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter
from ml_backend.labelling.driver import label
from ml_backend.pools.interface import Pool
from ml_backend.processes import ROOT
from ml_backend.worker.kinds import work_on
from tests.ml_backend.fixtures import example, made_release
from tests.ml_backend.worker.test_process import train_request

PRACTICES = load_shipped("empathy-practices")


@dataclass(frozen=True)
class Place:
    folder: TaskFolder
    run: RunFolder
    request: LabelRequest

    def stage(self, shard: int, part: str, texts: Sequence[ItemText]) -> None:
        rows = [(t.item_id, part, t.title, t.post, t.reply if part == "reply" else None) for t in texts]
        frame = pl.DataFrame(rows, schema=TEXT_SCHEMA, orient="row")
        frame.write_parquet(ShardTexts(self.folder.path).of(shard))

    def labels(self, shard: int) -> pl.DataFrame:
        return pl.read_parquet(self.run.labels_of(shard))

    def label(self, pool: Pool) -> LabelResult:
        return label(self.folder, self.request, ProgressWriter(self.folder.progress), pool)

    def start(self, *options: str) -> subprocess.Popen[bytes]:
        self.folder.write_request(self.request)
        self.folder.beat()
        return subprocess.Popen(
            [sys.executable, "-m", "ml_backend", "task", str(self.folder.path), *options],
            stdin=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, "ML_LABEL_PROCESSES": "2"},
        )


def trained(home: Path, learner: str) -> Path:
    folder = TaskFolder(home / "s" / "job-1")
    request = train_request(made_release(home / "release", PRACTICES, 30), learner)
    folder.write_request(request)
    work_on(folder, request, ProgressWriter(folder.progress))
    return folder.adapter


def place_for(adapter: Path, home: Path, n_shards: int = 4) -> Place:
    """A shard of posts, and others of replies, five texts each."""
    run = RunFolder(home / "labelled" / "run-1")
    request = LabelRequest(
        run_folder=str(run.path),
        adapter_folder=str(adapter),
        adapter_id=read_card(adapter).id,
        card_hash=hashlib.sha256((adapter / CARD).read_bytes()).hexdigest(),
    )
    found = Place(TaskFolder(home / "ml" / "s" / "labelling-1"), run, request)
    run.labels.mkdir(parents=True)
    found.folder.write_request(request)
    ShardTexts(found.folder.path).folder.mkdir()
    for shard in range(n_shards):
        part = "post" if shard == 0 else "reply"
        found.stage(shard, part, [example(PRACTICES, 5 * shard + n).text for n in range(5)])
    return found
