"""Imports a million comments in a process of its own and reports its peak memory over idle."""

import argparse
import resource
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.import_dumps import write_reddit_dump
from corpus.readers.reddit import import_reddit
from corpus.rules import ImportRules
from corpus.store import CorpusStore

_WANTED_MB = 500


def resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def import_and_report(folder: Path) -> None:
    idle = resident_mb()
    record = import_reddit(
        CorpusStore(folder / "corpus"),
        submissions=[folder / "submissions.zst"],
        comments=[folder / "comments.zst"],
        rules=ImportRules(),
        key=b"benchmark-key-16",
        now=lambda: datetime.now(UTC),
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    seconds = (record.finished - record.started).total_seconds()
    print(f"{record.replies_read:,} comments, {record.replies_kept:,} replies kept, {seconds:.1f} s")
    print(
        f"idle {idle:.0f} MB, peak {peak:.0f} MB, over idle {peak - idle:.0f} MB (at most {_WANTED_MB} wanted)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--comments", type=int, default=1_000_000)
    parser.add_argument(
        "--folder", type=Path, help="import the dump in this folder and report (used by itself)"
    )
    options = parser.parse_args()
    if options.folder is not None:
        import_and_report(options.folder)
        return
    with tempfile.TemporaryDirectory() as name:
        write_reddit_dump(Path(name), posts=options.comments // 10, comments=options.comments, seed=1)
        subprocess.run([sys.executable, "-m", "benchmarks.import_memory", "--folder", name], check=True)


if __name__ == "__main__":
    main()
