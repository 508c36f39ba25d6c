"""What labelling millions of interactions takes: the rates of this machine, multiplied out.

    python -m benchmarks.on_paper [--interactions N] [--items N] [--price P]

An interaction is a post and its reply: two texts. Invented texts, as long as real ones, are labelled with the real
encoder on one thread; seconds are those of the processor. Nothing here is a promise: other texts, machines and models
have other rates, which the same command measures where it is run.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.labelling import Place, Times, invented_store, stage, times_of
from benchmarks.ml_server import train
from corpus.store import CorpusStore
from learning.labelling.facts import RunScope
from learning.labelling.folder import RunFolder, ShardTexts
from learning.labelling.sharding import make_shards
from learning.labelling.staging import CHARS_AT_ONCE, write_texts
from learning.labelling.units import units_of

PER_SHARD = 512
CORES = 16
# Corpora of so many posts: what a pass over one text costs, is the difference
FEW_POSTS, MANY_POSTS, N_PASSES = 2_000, 12_000, 4
LARGE_POSTS = 50_000
HOUR, GB = 3600, 1e9


def seconds_of_a_pass(home: Path, n_posts: int) -> float:
    """Of reading the texts of one shard out of the whole corpus."""
    store = invented_store(home / "corpus", n_posts)
    units = units_of(store, RunScope(), parts=frozenset({"post", "reply"}), seed=1)
    shards = make_shards(units, seed=1, with_context=False, per_shard=8)
    run, texts = RunFolder(home / "run"), ShardTexts(home / "task")
    run.labels.mkdir(parents=True)
    before = time.process_time()
    write_texts(texts, run, store, shards.head(8 * N_PASSES), at_once=1)
    return (time.process_time() - before) / N_PASSES


def bytes_of_cutting(home: Path) -> float:
    """By which the memory of a fresh process grows for each text of a corpus that it cuts into shards."""
    invented_store(home, LARGE_POSTS)
    command = [sys.executable, "-m", "benchmarks.on_paper", "--cut", str(home)]
    grown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return int(grown) / (2 * LARGE_POSTS)


def cut(root: Path) -> None:
    before = highest_memory()
    units = units_of(CorpusStore(root), RunScope(), parts=frozenset({"post", "reply"}), seed=1)
    make_shards(units, seed=1, with_context=False, per_shard=PER_SHARD)
    print(highest_memory() - before)


def highest_memory() -> int:
    """Bytes that this process ever held at once."""
    line = next(
        line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")
    )
    return 1024 * int(line.split()[1])


def bytes_a_text(place: Place, n_texts: int) -> tuple[float, float]:
    """Of the texts that are laid ready, and of the labels."""
    texts = sum(path.stat().st_size for path in ShardTexts(place.folder.path).folder.iterdir())
    labels = sum(path.stat().st_size for path in place.run.labels.iterdir())
    return texts / n_texts, labels / n_texts


def report(times: Times, sizes: tuple[float, float], n_interactions: int, price: float) -> None:
    n = 2 * n_interactions
    hours = n * times.whole / times.n_texts / HOUR
    days, rest = hours / CORES / 24, (times.whole - times.bare) / times.n_texts
    show(
        ("texts, in so many shards", f"{n:,}, {n // PER_SHARD:,}"),
        ("core hours", f"{hours:,.0f}"),
        (f"days of one node of {CORES} cores, of twenty", f"{days:.1f}, {days / 20:.1f}"),
        (f"cost at {price:g} a core hour", f"{hours * price:,.0f}"),
        ("ms of a core for a text beside the network", f"{1000 * rest:.2f}"),
        ("core hours beside the network, which no card takes over", f"{n * rest / HOUR:,.0f}"),
        ("GB of texts until they are labelled", f"{n * sizes[0] / GB:.0f}"),
        ("GB of labels", f"{n * sizes[1] / GB:.0f}"),
    )


def show(*rows: tuple[str, str]) -> None:
    print("\n".join(f"| {name} | {value} |" for name, value in rows), flush=True)


def report_staging(home: Path, n_interactions: int) -> None:
    few, many = (seconds_of_a_pass(home / str(n), n) for n in (FEW_POSTS, MANY_POSTS))
    a_text = (many - few) / (2 * (MANY_POSTS - FEW_POSTS))
    store = invented_store(home / "lengths", FEW_POSTS)
    units = units_of(store, RunScope(), parts=frozenset({"post", "reply"}), seed=1)
    chars = sum(sum(units[name].to_list()) for name in ("n_chars", "n_context")) / units.height
    n = 2 * n_interactions
    passes = -(-n * chars // CHARS_AT_ONCE)
    hours = passes * n * a_text / HOUR
    show(
        ("characters of a text with its context", f"{chars:.0f}"),
        (f"passes over the corpus, {CHARS_AT_ONCE:,} characters each", f"{passes:,.0f}"),
        ("µs of a core for a text in each pass", f"{1e6 * a_text:.2f}"),
        ("core hours of laying ready", f"{hours:,.0f}"),
        ("GB of memory while it is cut into shards", f"{n * bytes_of_cutting(home / 'large') / GB:.0f}"),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--interactions", type=int, default=18_000_000)
    parser.add_argument("--items", type=int, default=150, help="posts that are labelled, each with one reply")
    parser.add_argument("--cut", type=Path, metavar="CORPUS", help="only say by how much memory grows")
    parser.add_argument("--price", type=float, default=0.05, help="of a core hour, in any currency")
    options = parser.parse_args()
    if options.cut is not None:
        return cut(options.cut)
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        adapter = train(home, "encoder-lora")
        place = stage(home, invented_store(home / "corpus", options.items), adapter, PER_SHARD)
        times = times_of(place, adapter)
        report(times, bytes_a_text(place, times.n_texts), options.interactions, options.price)
        report_staging(home, options.interactions)


if __name__ == "__main__":
    main()
