"""Reads Reddit dumps as the Pushshift archives lay them out: one JSON object per line."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec
import polars as pl

from corpus.drops import drop_counts
from corpus.errors import InvalidRules
from corpus.importing import ImportRequest, Meter, run_import
from corpus.lines import line_chunks, read_ahead
from corpus.names import checked_name
from corpus.progress import Clock, ProgressSink, ignore_progress
from corpus.pseudonyms import Pseudonyms
from corpus.records import ImportRecord
from corpus.reddit_frames import (
    FrameRules,
    comment_columns,
    staged_comments,
    staged_submissions,
    submission_columns,
)
from corpus.reddit_records import Comment, RecordT, Submission, decode_chunk
from corpus.rules import ImportRules
from corpus.sources import ByteSource
from corpus.staging import BackgroundWriter, Place, StagedChunk, Staging
from corpus.store import CorpusStore


def import_reddit(
    store: CorpusStore,
    *,
    submissions: Sequence[Path],
    comments: Sequence[Path],
    rules: ImportRules,
    key: bytes,
    now: Clock,
    communities: frozenset[str] | None = None,
    replace: bool = False,
    on_progress: ProgressSink = ignore_progress,
) -> ImportRecord:
    """Imports one or many subreddits; with `communities` only those named (case does not matter)."""
    if not submissions:
        raise InvalidRules(
            "A Reddit import needs at least one file of submissions, because replies belong to posts."
        )
    wanted = sorted(checked_name("community", name) for name in communities or ())
    pseudonyms = Pseudonyms(key)
    request = ImportRequest(
        platform="reddit",
        paths=[*submissions, *comments],
        rules=rules,
        scope=[pseudonyms.fingerprint, str(len(submissions)), *wanted],
        communities=wanted,
        replace=replace,
    )
    frame_rules = FrameRules(rules, pseudonyms, {name.lower(): name for name in wanted})

    def stage(staging: Staging, meter: Meter) -> None:
        with staging.background() as writer:
            for number, path in enumerate(request.paths):
                place = staging.place(number)
                if place.ended:
                    continue
                work = _FileWork(number, path, place, frame_rules, writer, meter)
                if number < len(submissions):
                    work.stage(msgspec.json.Decoder(Submission), submission_columns, _submission_chunk)
                else:
                    work.stage(msgspec.json.Decoder(Comment), comment_columns, _comment_chunk)

    return run_import(store, request, stage, on_progress=on_progress, now=now)


@dataclass(frozen=True)
class _FileWork:
    number: int
    path: Path
    place: Place
    rules: FrameRules
    writer: BackgroundWriter
    meter: Meter

    def stage(
        self,
        decoder: msgspec.json.Decoder[RecordT],
        columns: Callable[[Sequence[RecordT], FrameRules], pl.DataFrame],
        staged: Callable[[pl.DataFrame, FrameRules, int], StagedChunk],
    ) -> None:
        """Decodes here and filters in the writing thread: the two take turns on the same chunk."""
        rules = self.rules.rules
        offset, lines = self.place.offset, self.place.records
        with ByteSource(self.path, rules.limits) as source:
            for chunk in read_ahead(line_chunks(source, rules.limits, offset=offset, lines=lines)):
                records, broken = decode_chunk(decoder, chunk, self.path, skip_broken=rules.skip_broken_lines)
                frame = columns(records, self.rules)
                offset, lines = chunk.offset, chunk.last_line
                self.writer.submit(
                    self.number, Place(offset, lines), partial(staged, frame, self.rules, broken)
                )
                self.meter.at(self.number, chunk.consumed, lines)
        self.writer.submit(self.number, Place(offset, lines, ended=True), StagedChunk)


def _submission_chunk(frame: pl.DataFrame, rules: FrameRules, broken: int) -> StagedChunk:
    posts, drops = staged_submissions(frame, rules)
    drops["broken_line"] += broken
    return StagedChunk({"posts": posts}, posts_read=frame.height + broken, drops=drop_counts("post", drops))


def _comment_chunk(frame: pl.DataFrame, rules: FrameRules, broken: int) -> StagedChunk:
    replies, nested, drops = staged_comments(frame, rules)
    drops["broken_line"] += broken
    return StagedChunk(
        {"replies": replies, "nested": nested},
        replies_read=frame.height + broken,
        drops=drop_counts("reply", drops),
    )
