"""Times labelling as it is done, with the real encoder: what it adds to a bare loop, and processes against threads.

    python -m benchmarks.labelling [--items N] [--shard N]

The bare loop runs the network over the same sorted batches in the same run, from texts that are prepared already;
labelling goes from the file of texts to the file of labels on disk. Processor seconds are compared there, since a
machine may be shared. Two processes of one thread and one of two are timed by the clock, from when all have a shard
behind them to the end of the last: this needs two cores that nobody else uses. Ways are taken in turn, and the fastest
round of each counts. Fails if a goal is missed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import torch

from benchmarks.invented_items import invented_examples
from benchmarks.ml_server import CODEBOOK, trained
from benchmarks.prediction import bare_loop
from codebook.schema import Part
from corpus.atomic_files import replace_file
from corpus.records import POST_SCHEMA, REPLY_SCHEMA
from corpus.store import CorpusStore, Manifest
from learning.adapters.card import CARD
from learning.adapters.folder import read_card
from learning.labelling.facts import RunScope
from learning.labelling.folder import RunFolder
from learning.labelling.sharding import make_shards
from learning.labelling.staging import read_texts, write_texts
from learning.labelling.units import units_of
from learning.labelling.work import LabelRequest, ShardCost, WorkFolder
from ml_backend.encoder.learner import EncoderLora
from ml_backend.encoder.network import Network
from ml_backend.encoder.preparing import Prepared
from ml_backend.examples import Example
from ml_backend.labelling.predicting import ShardLabeller, load_requested

ROUNDS = 3
WANTED_SHARE = 0.85
WANTED_BY_CLOCK = 1.0


def invented_store(root: Path, n: int) -> CorpusStore:
    """Posts with one reply each, as long as real ones."""
    store, when = CorpusStore(root), datetime(2024, 1, 1, tzinfo=UTC)
    posts, replies = [], []
    for each in (example.text for example in invented_examples(CODEBOOK, n, 3)):
        posts.append((each.item_id, "lane", "reddit", "", each.post, None, when, 1, 1))
        reply = (each.item_id, each.item_id, "lane", "reddit", each.reply)
        replies.append((*reply, None, when, 1, False, False))
    folder = store.community_path("first", "lane")
    folder.mkdir(parents=True)
    for name, rows, schema in (("posts", posts, POST_SCHEMA), ("replies", replies, REPLY_SCHEMA)):
        pl.DataFrame(rows, schema=schema, orient="row").write_parquet(folder / f"{name}-0.parquet")
    with store.locked():
        store.write_manifest(Manifest(communities={"lane": "first"}))
    return store


def staged(home: Path, store: CorpusStore, adapter: Path, per_shard: int) -> tuple[WorkFolder, RunFolder]:
    """As the job lays it ready."""
    work, run = WorkFolder(home / "ml" / "study" / "labelling-1"), RunFolder(home / "run-1")
    units = units_of(store, RunScope(), parts=frozenset({"post", "reply"}), seed=1)
    shards = make_shards(units, seed=1, with_context=False, per_shard=per_shard)
    card_hash = hashlib.sha256((adapter / CARD).read_bytes()).hexdigest()
    work.write_request(
        LabelRequest(
            run_folder=str(run.path),
            adapter_folder=str(adapter),
            adapter_id=read_card(adapter).id,
            card_hash=card_hash,
        )
    )
    run.labels.mkdir(parents=True)
    write_texts(work, run, store, shards)
    return work, run


def share_of_bare_loop(work: WorkFolder, run: RunFolder) -> float:
    torch.set_num_threads(1)
    adapter = load_requested(work.read_request())
    assert isinstance(adapter.learner, EncoderLora)
    labelling, shards = ShardLabeller(adapter), work.pending(run)
    prepared = [_prepared(adapter.learner, work, shard) for shard in shards]
    n_units = sum(len(batch) for _, batch in prepared)
    bare = whole = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for network, batch in prepared:
            bare_loop(network, batch)
        middle = time.process_time()
        for shard in shards:
            labels = labelling.label(work, shard)
            work.write_cost(shard, ShardCost(labels.n_units, 0.0, "here"))
            replace_file(run.labels_of(shard), labels.content)
        bare, whole = min(bare, middle - start), min(whole, time.process_time() - middle)
        for shard in shards:
            run.labels_of(shard).unlink()
    print(f"bare loop  {n_units / bare:7.1f} texts a second of processor time")
    print(f"labelling  {n_units / whole:7.1f} texts a second of processor time, from file to file")
    return bare / whole


def _prepared(learner: EncoderLora, work: WorkFolder, shard: int) -> tuple[Network, Sequence[Prepared]]:
    part, texts = read_texts(work, shard)
    own = learner.only(Part(part))
    return own.network.eval(), own.prepare([Example(text) for text in texts])


def texts_a_second(work: WorkFolder, run: RunFolder, *, processes: int, threads: int) -> float:
    """By the clock, from when every process has finished a shard to the end of the last."""
    environment = {**os.environ, "ML_LABEL_PROCESSES": str(processes), "OMP_NUM_THREADS": str(threads)}
    for path in run.labels.iterdir():
        path.unlink()
    work.beat()
    command = ["taskset", "--cpu-list", "0,1", sys.executable, "-m", "ml_backend", "label", str(work.path)]
    before = _processor_seconds()
    running = [subprocess.Popen(command, env=environment) for _ in range(processes)]
    for process in running:
        if process.wait() != 0:
            raise RuntimeError(f"A process ended with {process.returncode}: {work.take_failure()}")
    found = _rate(work, run)
    spent = _processor_seconds() - before
    words = f"{processes} × {threads} thread{'s' if threads > 1 else ''}"
    print(f"{words:13} {found:7.1f} texts a second by the clock, {spent:.0f} processor seconds with loading")
    return found


def _rate(work: WorkFolder, run: RunFolder) -> float:
    ends: list[tuple[float, ShardCost]] = []
    for path in run.labels.iterdir():
        worked = work.read_cost(int(path.stem))
        if worked is not None:
            ends.append((path.stat().st_mtime, worked))
    firsts: dict[str, float] = {}
    for end, worked in ends:
        firsts[worked.process] = min(end, firsts.get(worked.process, end))
    start = max(firsts.values())
    counted = sum(worked.n_units for end, worked in ends if end > start)
    return counted / (max(end for end, _ in ends) - start)


def _processor_seconds() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def run_all(n_items: int, per_shard: int) -> bool:
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        adapter = trained(home, "encoder-lora")
        work, run = staged(home, invented_store(home / "corpus", n_items), adapter, per_shard)
        share = share_of_bare_loop(work, run)
        two = one = 0.0
        for _ in range(ROUNDS):
            two = max(two, texts_a_second(work, run, processes=2, threads=1))
            one = max(one, texts_a_second(work, run, processes=1, threads=2))
    print(f"labelling is {share:.3f} of the bare loop (at least {WANTED_SHARE} wanted)")
    print(f"two processes do {two / one:.3f} of one with two threads (at least {WANTED_BY_CLOCK} wanted)")
    return share >= WANTED_SHARE and two / one >= WANTED_BY_CLOCK


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--items", type=int, default=400, help="posts, each with one reply")
    parser.add_argument("--shard", type=int, default=32, help="texts a shard")
    options = parser.parse_args()
    return 0 if run_all(options.items, options.shard) else 1


if __name__ == "__main__":
    sys.exit(main())
