"""The first half of an import: filtered chunks on disk with a journal, so that a killed import can go on."""

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec
import polars as pl

from corpus.records import DropCount, Kind

Stem = Literal["posts", "replies", "nested"]


@dataclass(frozen=True)
class Place:
    """How far a source has been read: bytes, and records (lines, elements or rows) for messages."""

    offset: int = 0
    records: int = 0
    ended: bool = False


@dataclass(frozen=True)
class StagedChunk:
    """What one chunk of a source came to."""

    frames: Mapping[Stem, pl.DataFrame] = field(default_factory=dict)
    posts_read: int = 0
    replies_read: int = 0
    drops: tuple[DropCount, ...] = ()


@dataclass(frozen=True)
class JournalEntry:
    source: int
    place: Place
    stems: tuple[Stem, ...]
    posts_read: int
    replies_read: int
    drops: tuple[DropCount, ...]


@dataclass
class Staging:
    path: Path
    entries: list[JournalEntry] = field(default_factory=list)

    @classmethod
    def open(cls, path: Path) -> "Staging":
        path.mkdir(parents=True, exist_ok=True)
        staging = cls(path)
        staging._read_journal()
        return staging

    @property
    def _journal(self) -> Path:
        return self.path / "journal.jsonl"

    def _read_journal(self) -> None:
        """A line that a kill cut short is forgotten, and its chunk is read again."""
        if not self._journal.exists():
            return
        raw = self._journal.read_bytes()
        whole = raw[: raw.rfind(b"\n") + 1]
        self.entries = msgspec.json.Decoder(JournalEntry).decode_lines(whole)
        if whole != raw:
            os.truncate(self._journal, len(whole))

    def place(self, source: int) -> Place:
        for entry in reversed(self.entries):
            if entry.source == source:
                return entry.place
        return Place()

    def write(self, source: int, place: Place, chunk: StagedChunk) -> None:
        number = len(self.entries)
        frames = {stem: frame for stem, frame in chunk.frames.items() if frame.height}
        for stem, frame in frames.items():
            write_parquet(frame, self._chunk_path(stem, number), compression="uncompressed")
        entry = JournalEntry(source, place, tuple(frames), chunk.posts_read, chunk.replies_read, chunk.drops)
        with self._journal.open("ab") as handle:
            handle.write(msgspec.json.encode(entry) + b"\n")
            handle.flush()
            os.fsync(handle.fileno())
        self.entries.append(entry)

    def files(self, stem: Stem) -> list[Path]:
        return [
            self._chunk_path(stem, number) for number, entry in enumerate(self.entries) if stem in entry.stems
        ]

    def _chunk_path(self, stem: Stem, number: int) -> Path:
        return self.path / f"{stem}-{number:06d}.parquet"

    def drops(self) -> Counter[tuple[Kind, str]]:
        total: Counter[tuple[Kind, str]] = Counter()
        for entry in self.entries:
            for drop in entry.drops:
                total[drop.kind, drop.reason] += drop.count
        return total

    def discard(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    @contextmanager
    def background(self, *, makers: int = 1) -> Iterator["BackgroundWriter"]:
        """More than one maker pays where chunks are made by Polars, which does not hold the GIL."""
        with (
            ThreadPoolExecutor(max_workers=makers, thread_name_prefix="corpus-make") as making,
            ThreadPoolExecutor(max_workers=1, thread_name_prefix="corpus-write") as writing,
        ):
            writer = BackgroundWriter(self, making, writing, most_pending=makers + 1)
            yield writer
            writer.finish()


@dataclass
class BackgroundWriter:
    """Makes chunks in threads and writes them in order in another; holds at most a few, to bound memory.

    Once a chunk has failed nothing is written any more: the journal must not have a hole in it.
    """

    staging: Staging
    making: ThreadPoolExecutor
    writing: ThreadPoolExecutor
    most_pending: int
    pending: list[Future[None]] = field(default_factory=list)
    failed: bool = False

    def submit(self, source: int, place: Place, make: Callable[[], StagedChunk]) -> None:
        while len(self.pending) >= self.most_pending:
            self.pending.pop(0).result()
        chunk = self.making.submit(make)
        self.pending.append(self.writing.submit(self._write, source, place, chunk))

    def _write(self, source: int, place: Place, chunk: Future[StagedChunk]) -> None:
        if self.failed:
            return
        try:
            self.staging.write(source, place, chunk.result())
        except BaseException:
            self.failed = True
            raise

    def finish(self) -> None:
        while self.pending:
            self.pending.pop(0).result()


def write_parquet(frame: pl.DataFrame, path: Path, *, compression: Literal["uncompressed", "zstd"]) -> None:
    with path.open("wb") as handle:
        frame.write_parquet(
            handle,
            compression=compression,
            compression_level=1 if compression == "zstd" else None,
            statistics=False,
        )
        handle.flush()
        os.fsync(handle.fileno())
