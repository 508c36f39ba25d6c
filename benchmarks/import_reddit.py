"""Compares the whole Reddit import with the bare loop that only decompresses and decodes the same files."""

import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from benchmarks.import_dumps import write_reddit_dump
from corpus.lines import line_chunks
from corpus.reddit import import_reddit
from corpus.reddit_records import Comment, Submission
from corpus.rules import ImportRules
from corpus.sources import ByteSource
from corpus.store import CorpusStore

_COMMENTS = 200_000
_POSTS = 20_000
_ROUNDS = 5


def bare_loop(submissions: Path, comments: Path) -> int:
    rules = ImportRules()
    total = 0
    for path, record in ((submissions, Submission), (comments, Comment)):
        decoder = msgspec.json.Decoder(record)
        with ByteSource(path, rules.limits) as source:
            for chunk in line_chunks(source, rules.limits):
                for line in chunk.data.split(b"\n"):
                    if line:
                        decoder.decode(line)
                total += len(chunk.data)
    return total


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        submissions, comments = write_reddit_dump(folder, posts=_POSTS, comments=_COMMENTS, seed=1)
        megabytes = bare_loop(submissions, comments) / 1e6
        ratios = []
        for number in range(_ROUNDS):
            store = CorpusStore(folder / f"corpus-{number}")
            bare = seconds(lambda: bare_loop(submissions, comments))
            full = seconds(
                lambda store=store: import_reddit(  # type: ignore[misc]
                    store,
                    submissions=[submissions],
                    comments=[comments],
                    rules=ImportRules(),
                    key=b"benchmark-key-16",
                    now=lambda: datetime.now(UTC),
                )
            )
            ratios.append(bare / full)
            print(
                f"bare {megabytes / bare:6.0f} MB/s   import {megabytes / full:6.0f} MB/s   ratio {bare / full:.2f}"
            )
    print(f"median ratio {sorted(ratios)[_ROUNDS // 2]:.2f} (at least 0.50 wanted)")


if __name__ == "__main__":
    main()
