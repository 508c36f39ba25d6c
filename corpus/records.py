"""The shapes that a corpus stores: columns of posts, replies and labels, and the record of an import."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import polars as pl

from corpus.rules import ImportRules

Kind = Literal["post", "reply"]

TIME = pl.Datetime("us", "UTC")

POST_SCHEMA = pl.Schema(
    {
        "post_id": pl.String(),
        "community": pl.String(),
        "platform": pl.String(),
        "title": pl.String(),
        "text": pl.String(),
        "author": pl.String(),
        "created": TIME,
        "score": pl.Int64(),
        "n_replies": pl.Int64(),
    }
)

REPLY_SCHEMA = pl.Schema(
    {
        "reply_id": pl.String(),
        "post_id": pl.String(),
        "community": pl.String(),
        "platform": pl.String(),
        "text": pl.String(),
        "author": pl.String(),
        "created": TIME,
        "score": pl.Int64(),
        "answered_by_poster": pl.Boolean(),
        "accepted_by_poster": pl.Boolean(),
    }
)

SPAN = pl.Struct({"start": pl.Int64(), "end": pl.Int64()})

LABEL_SCHEMA = pl.Schema(
    {
        "community": pl.String(),
        "post_id": pl.String(),
        "reply_id": pl.String(),
        "part": pl.String(),
        "annotator": pl.String(),
        "code": pl.String(),
        "value": pl.String(),
        "spans": pl.List(SPAN),
        "unmatched_quotes": pl.List(pl.String()),
    }
)


@dataclass(frozen=True)
class SourceFile:
    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class DropCount:
    kind: Kind
    reason: str
    count: int


@dataclass(frozen=True)
class CommunityCount:
    name: str
    posts: int
    replies: int


@dataclass(frozen=True)
class ImportRecord:
    """For each kind, read = kept + the sum of its drops."""

    id: str
    platform: str
    sources: tuple[SourceFile, ...]
    rules: ImportRules
    started: datetime
    finished: datetime
    posts_read: int
    posts_kept: int
    replies_read: int
    replies_kept: int
    drops: tuple[DropCount, ...]
    communities: tuple[CommunityCount, ...]
    already_imported: bool = False

    def dropped(self, kind: Kind) -> dict[str, int]:
        return {drop.reason: drop.count for drop in self.drops if drop.kind == kind}


@dataclass(frozen=True)
class LabelRecord:
    """One file of labels in a label set: rows read = rows kept + the sum of `drops`.

    `matched` names, by community, the import whose texts the labels and their spans belong to;
    `corpus_state` tells whether other texts have come in since.
    """

    id: str
    label_set: str
    source: SourceFile
    imported: datetime
    rows_read: int
    rows_kept: int
    drops: dict[str, int]
    quotes_read: int
    quotes_matched_exactly: int
    quotes_matched_loosely: int
    quotes_unmatched: int
    codes: tuple[str, ...]
    annotators: tuple[str, ...]
    matched: dict[str, str]
    corpus_state: str
    already_imported: bool = False
