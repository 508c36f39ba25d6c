"""Run as a program: a Reddit import that kills itself without warning at a chosen moment."""

import os
import signal
import sys
from datetime import datetime
from pathlib import Path

from corpus.readers.reddit import import_reddit
from corpus.rules import ImportRules, ReadLimits
from corpus.store import CorpusStore, Manifest
from tests.corpus.dumps import KEY, now

RULES = ImportRules(limits=ReadLimits(max_line_bytes=2_000, chunk_bytes=8_000))


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class StoreThatDies(CorpusStore):
    """Goes down after the data is in its place and before the manifest names it."""

    def write_manifest(self, manifest: Manifest) -> None:
        die()


class ClockThatDies:
    """Goes down when it is asked for the time too often."""

    def __init__(self, calls: int) -> None:
        self._left = calls

    def __call__(self) -> datetime:
        self._left -= 1
        if self._left < 0:
            die()
        return now()


def main(root: Path, submissions: Path, comments: Path, moment: str) -> None:
    at_manifest = moment == "manifest"
    import_reddit(
        StoreThatDies(root) if at_manifest else CorpusStore(root),
        submissions=[submissions],
        comments=[comments],
        rules=RULES,
        key=KEY,
        now=now if at_manifest else ClockThatDies(int(moment)),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4])
