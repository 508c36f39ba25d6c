"""Reads Reddit dumps as the Pushshift archives lay them out: one JSON object per line."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path

import msgspec
import polars as pl

from corpus.drops import drop_counts
from corpus.errors import InvalidRules
from corpus.importing import Meter, run_import
from corpus.json_lines import stage_json_lines
from corpus.names import checked_name
from corpus.progress import Clock, ProgressSink, ignore_progress
from corpus.pseudonyms import Pseudonyms
from corpus.publish import ImportRequest
from corpus.records import ImportRecord
from corpus.reddit_frames import (
    Comment,
    FrameRules,
    Submission,
    comment_columns,
    staged_comments,
    staged_submissions,
    submission_columns,
)
from corpus.registry import Option, Reader
from corpus.rules import ImportRules
from corpus.staging import StagedChunk, Staging
from corpus.store import CorpusStore


def import_reddit(
    store: CorpusStore,
    *,
    submissions: Sequence[Path],
    comments: Sequence[Path],
    rules: ImportRules,
    key: bytes,
    now: Clock,
    communities: Collection[str] | None = None,
    replace: bool = False,
    on_progress: ProgressSink = ignore_progress,
) -> ImportRecord:
    """Imports one or many subreddits; with `communities` only those named (case does not matter)."""
    if not submissions:
        raise InvalidRules(
            "A Reddit import needs at least one file of submissions, because replies belong to posts."
        )
    wanted = sorted(checked_name("community", name) for name in set(communities or ()))
    pseudonyms = Pseudonyms(key)
    request = ImportRequest(
        platform="reddit",
        paths=[*submissions, *comments],
        rules=rules,
        scope=[pseudonyms.fingerprint, str(len(submissions)), *wanted],
        communities=wanted,
        replace=replace,
        has_nested=True,
    )
    frame_rules = FrameRules(rules, pseudonyms, {name.lower(): name for name in wanted})

    def stage(staging: Staging, meter: Meter) -> None:
        with staging.background() as writer:
            for number, path in enumerate(request.paths):
                place = staging.place(number)
                if place.ended:
                    continue
                if number < len(submissions):
                    posts = msgspec.json.Decoder(Submission)
                    stage_json_lines(path, number, place, rules, posts, prepare_submissions, writer, meter)
                else:
                    replies = msgspec.json.Decoder(Comment)
                    stage_json_lines(path, number, place, rules, replies, prepare_comments, writer, meter)

    def prepare_submissions(records: Sequence[Submission], broken: int) -> Callable[[], StagedChunk]:
        return partial(_submission_chunk, submission_columns(records, frame_rules), frame_rules, broken)

    def prepare_comments(records: Sequence[Comment], broken: int) -> Callable[[], StagedChunk]:
        return partial(_comment_chunk, comment_columns(records, frame_rules), frame_rules, broken)

    return run_import(store, request, stage, on_progress=on_progress, now=now)


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


READER = Reader(
    kind="reddit",
    label="Reddit",
    about="Reddit submissions and comments, as in the Pushshift archives.",
    options=(
        Option(name="submissions", takes="files", label="Submissions", help="NDJSON, plain, .gz or .zst."),
        Option(name="comments", takes="files", label="Comments", help="NDJSON likewise.", is_required=False),
        Option(
            name="communities",
            takes="names",
            label="Only these subreddits",
            help="Empty for all in the files.",
            is_required=False,
        ),
    ),
    read=import_reddit,
)
