"""Times labelling as it is done, with the real encoder: what it adds to a bare loop, and processes against threads.

    python -m benchmarks.labelling [--items N] [--shard N]
    python -m benchmarks.labelling --tiny-shards 40000

The bare loop runs the network over the same sorted batches in the same run, from texts that are prepared already;
labelling goes from the file of texts to the file of labels on disk. Processor seconds are compared there, since a
machine may be shared. Two processes of one thread and one of two are timed by the clock, from when all have a shard
behind them to the end of the last: this needs two cores that nobody else uses. Ways are taken in turn, and the fastest
round of each counts.

With tiny shards, of one text each by the majority baseline, it times the driver alone: what it spends on a shard must
not grow with their number. Fails if a goal is missed.
"""

from __future__ import annotations

import argparse
import hashlib
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import torch

from benchmarks.invented_items import invented_examples
from benchmarks.ml_server import CODEBOOK, train
from benchmarks.prediction import bare_loop
from corpus.atomic_files import replace_file
from corpus.records import POST_SCHEMA, REPLY_SCHEMA
from corpus.store import CorpusStore, Manifest
from learning.adapters.card import CARD
from learning.adapters.folder import read_card
from learning.labelling.facts import RunScope
from learning.labelling.folder import RunFolder, ShardTexts, shards_in
from learning.labelling.sharding import make_shards
from learning.labelling.staging import read_texts, write_texts
from learning.labelling.units import units_of
from learning.tasks.contract import LabelRequest
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter
from ml_backend.adapters.folder import load_adapter
from ml_backend.encoder.learner import EncoderLora
from ml_backend.encoder.network import Network
from ml_backend.encoder.preparing import Prepared
from ml_backend.examples import Example
from ml_backend.labelling.driver import label
from ml_backend.labelling.shards import adapter_by_folder, label_shard, load
from ml_backend.pools.local import LocalPool

ROUNDS = 3
WANTED_SHARE = 0.85
WANTED_BY_CLOCK = 1.0
# What a shard costs among forty thousand, against one among two thousand
MOST_GROWTH = 1.25


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


@dataclass(frozen=True)
class Place:
    """A run as the job lays it ready."""

    folder: TaskFolder
    run: RunFolder
    request: LabelRequest

    def shards(self) -> list[int]:
        return sorted(shards_in(ShardTexts(self.folder.path).folder))

    def texts(self, shard: int) -> bytes:
        return ShardTexts(self.folder.path).of(shard).read_bytes()

    def label(self, pool: LocalPool) -> float:
        """Anew; how many seconds it took by the clock."""
        for path in self.run.labels.iterdir():
            path.unlink()
        self.folder.progress.unlink(missing_ok=True)
        start = time.monotonic()
        label(self.folder, self.request, ProgressWriter(self.folder.progress), pool)
        return time.monotonic() - start


def stage(home: Path, store: CorpusStore, adapter: Path, per_shard: int) -> Place:
    run = RunFolder(home / "run-1")
    request = LabelRequest(
        run_folder=str(run.path),
        adapter_folder=str(adapter),
        adapter_id=read_card(adapter).id,
        card_hash=hashlib.sha256((adapter / CARD).read_bytes()).hexdigest(),
    )
    place = Place(TaskFolder(home / "ml" / "study" / "labelling-1"), run, request)
    place.folder.write_request(request)
    run.labels.mkdir(parents=True)
    units = units_of(store, RunScope(), parts=frozenset({"post", "reply"}), seed=1)
    shards = make_shards(units, seed=1, with_context=False, per_shard=per_shard)
    write_texts(ShardTexts(place.folder.path), run, store, shards)
    return place


@dataclass(frozen=True, slots=True)
class Times:
    """Processor seconds of one thread: of the network alone, and from file to file."""

    n_texts: int
    bare: float
    whole: float

    @property
    def share(self) -> float:
        return self.bare / self.whole


def times_of(place: Place, adapter: Path) -> Times:
    torch.set_num_threads(1)
    learner = load_adapter(adapter).learner
    assert isinstance(learner, EncoderLora)
    labeller, texts = load(adapter_by_folder(place.request)), [place.texts(n) for n in place.shards()]
    prepared = [_prepare(learner, content) for content in texts]
    n_units = sum(len(batch) for _, batch in prepared)
    bare = whole = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for network, batch in prepared:
            bare_loop(network, batch)
        middle = time.process_time()
        for shard, content in enumerate(texts):
            replace_file(place.run.labels_of(shard), label_shard(labeller, content))
        bare, whole = min(bare, middle - start), min(whole, time.process_time() - middle)
    print(f"bare loop  {n_units / bare:7.1f} texts a second of processor time")
    print(f"labelling  {n_units / whole:7.1f} texts a second of processor time, from file to file")
    return Times(n_units, bare, whole)


def _prepare(learner: EncoderLora, texts: bytes) -> tuple[Network, Sequence[Prepared]]:
    part, items = read_texts(texts)
    own = learner.only({each.code_id for each in learner.questions if each.part == part})
    return own.network.eval(), own.prepare([Example(text) for text in items])


def texts_a_second(place: Place, *, processes: int, threads: int) -> float:
    """By the clock, from when every worker has finished a shard to the end of the last."""
    before = _processor_seconds(resource.RUSAGE_CHILDREN)
    place.label(LocalPool(processes, threads))
    found = _rate(place, processes)
    spent = _processor_seconds(resource.RUSAGE_CHILDREN) - before
    words = f"{processes} × {threads} thread{'s' if threads > 1 else ''}"
    print(f"{words:13} {found:7.1f} texts a second by the clock, {spent:.0f} processor seconds with loading")
    return found


def _rate(place: Place, processes: int) -> float:
    """The first shards of all workers count as loading."""
    ends = sorted(
        (path.stat().st_mtime, len(read_texts(place.texts(int(path.stem)))[1]))
        for path in place.run.labels.iterdir()
    )
    counted = ends[processes:]
    return sum(n for _, n in counted) / (counted[-1][0] - ends[processes - 1][0])


def _processor_seconds(whose: int) -> float:
    spent = resource.getrusage(whose)
    return spent.ru_utime + spent.ru_stime


def seconds_of_driver(home: Path, adapter: Path, n_shards: int) -> float:
    """Processor time of the driver for each of so many shards of one text, without the work of the workers."""
    place = stage(home, invented_store(home / "corpus", n_shards // 2), adapter, per_shard=1)
    before = _processor_seconds(resource.RUSAGE_SELF)
    by_clock = place.label(LocalPool(2))
    found = (_processor_seconds(resource.RUSAGE_SELF) - before) / n_shards
    print(f"{n_shards:6,} shards: {1000 * found:.2f} ms of the driver each, {by_clock:.0f} s by the clock")
    return found


def run_tiny(n_shards: int) -> bool:
    with tempfile.TemporaryDirectory() as name:
        adapter = train(Path(name), "majority")
        few = seconds_of_driver(Path(name) / "few", adapter, n_shards // 20)
        many = seconds_of_driver(Path(name) / "many", adapter, n_shards)
    print(f"a shard of the many costs {many / few:.2f} of one of the few (at most {MOST_GROWTH} wanted)")
    return many / few <= MOST_GROWTH


def run_all(n_items: int, per_shard: int) -> bool:
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        adapter = train(home, "encoder-lora")
        place = stage(home, invented_store(home / "corpus", n_items), adapter, per_shard)
        share = times_of(place, adapter).share
        two = one = 0.0
        for _ in range(ROUNDS):
            two = max(two, texts_a_second(place, processes=2, threads=1))
            one = max(one, texts_a_second(place, processes=1, threads=2))
    print(f"labelling is {share:.3f} of the bare loop (at least {WANTED_SHARE} wanted)")
    print(f"two processes do {two / one:.3f} of one with two threads (at least {WANTED_BY_CLOCK} wanted)")
    return share >= WANTED_SHARE and two / one >= WANTED_BY_CLOCK


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--items", type=int, default=400, help="posts, each with one reply")
    parser.add_argument("--shard", type=int, default=32, help="texts a shard")
    parser.add_argument("--tiny-shards", type=int, metavar="N", help="the driver alone, with so many shards")
    options = parser.parse_args()
    reached = run_tiny(options.tiny_shards) if options.tiny_shards else run_all(options.items, options.shard)
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
