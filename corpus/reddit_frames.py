"""The few fields of a Reddit record that matter, and the rules that one decides by itself, a whole chunk at a time."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

import msgspec
import polars as pl

from corpus.drops import Reason, first_reason, reason_counts, time_reasons
from corpus.names import NAME_PATTERN
from corpus.pseudonyms import Pseudonyms
from corpus.records import TIME
from corpus.rules import ImportRules
from corpus.texts import hide_mentions, is_removed, post_digests

_LATEST = 4_102_444_800  # the year 2100
# NUL goes too: databases refuse it in a text
_ENTITIES = ["&lt;", "&gt;", "&amp;", "\r\n", "\r", "\x00"]
_DECODED = ["<", ">", "&", "\n", "\n", ""]


Score = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


class Submission(msgspec.Struct, gc=False):
    id: str = ""
    subreddit: str | None = None
    title: str | None = None
    selftext: str | None = None
    author: str | None = None
    created_utc: int | float | str | None = None
    score: Score | None = None
    removed_by_category: str | None = None


class Comment(msgspec.Struct, gc=False):
    id: str = ""
    subreddit: str | None = None
    body: str | None = None
    author: str | None = None
    created_utc: int | float | str | None = None
    score: Score | None = None
    link_id: str | None = None
    parent_id: str | None = None


@dataclass(frozen=True)
class FrameRules:
    """`wanted`: lower-case name to the name to store; empty for every community."""

    rules: ImportRules
    pseudonyms: Pseudonyms
    wanted: dict[str, str]


def submission_columns(records: Sequence[Submission], rules: FrameRules) -> pl.DataFrame:
    authors = rules.pseudonyms.of_all([record.author for record in records])
    return pl.DataFrame(
        {
            "post_id": pl.Series([record.id for record in records], dtype=pl.String),
            "community": pl.Series([record.subreddit for record in records], dtype=pl.String),
            "title": pl.Series([record.title or "" for record in records], dtype=pl.String),
            "text": pl.Series([record.selftext or "" for record in records], dtype=pl.String),
            "author": pl.Series(authors, dtype=pl.String),
            "created": pl.Series([_seconds(record.created_utc) for record in records], dtype=pl.Int64),
            "score": pl.Series([record.score for record in records], dtype=pl.Int64),
            "removed": pl.Series(
                [record.removed_by_category is not None for record in records], dtype=pl.Boolean
            ),
        }
    )


def comment_columns(records: Sequence[Comment], rules: FrameRules) -> pl.DataFrame:
    authors = rules.pseudonyms.of_all([record.author for record in records])
    return pl.DataFrame(
        {
            "reply_id": pl.Series([record.id for record in records], dtype=pl.String),
            "community": pl.Series([record.subreddit for record in records], dtype=pl.String),
            "text": pl.Series([record.body or "" for record in records], dtype=pl.String),
            "author": pl.Series(authors, dtype=pl.String),
            "created": pl.Series([_seconds(record.created_utc) for record in records], dtype=pl.Int64),
            "score": pl.Series([record.score for record in records], dtype=pl.Int64),
            "link_id": pl.Series([record.link_id for record in records], dtype=pl.String),
            "parent_id": pl.Series([record.parent_id for record in records], dtype=pl.String),
        }
    )


def _seconds(value: int | float | str | None) -> int | None:
    """None for what cannot be a time: milliseconds taken for seconds, say."""
    if value is None:
        return None
    try:
        seconds = int(value) if isinstance(value, int) else int(float(value))
    except (ValueError, OverflowError):
        return None
    return seconds if 0 <= seconds < _LATEST else None


def staged_submissions(frame: pl.DataFrame, rules: FrameRules) -> tuple[pl.DataFrame, Counter[str]]:
    """Dropped posts stay as bare ids, so that their replies are told apart from orphans."""
    title, text = pl.col("title"), pl.col("text")
    has_title, has_text = title.str.contains(r"\S"), text.str.contains(r"\S")
    empty = ~(has_title | has_text) if rules.rules.keep_title_only_posts else ~has_text
    frame = _with_community_and_time(frame, rules)
    frame = frame.with_columns(
        drop=first_reason(
            *_place_and_time_reasons("post_id", rules.rules.cutoff),
            (pl.col("removed") | is_removed(text) | is_removed(title), "removed"),
            (empty, "empty_text"),
        )
    )
    drops = reason_counts(frame)
    frame = frame.filter(
        pl.col("drop").is_null() | ~pl.col("drop").is_in(["no_community", "other_community", "no_id"])
    )
    alive = pl.col("drop").is_null()
    frame = frame.with_columns(
        pl.when(alive).then(clean_column("title")).alias("title"),
        pl.when(alive).then(clean_column("text")).alias("text"),
    )
    frame = hide_mentions(hide_mentions(frame, "title", rules.pseudonyms), "text", rules.pseudonyms)
    return frame.drop("removed").with_columns(
        post_digests(frame["title"], frame["text"]), accepted_id=pl.lit(None, pl.String)
    ), drops


def staged_comments(
    frame: pl.DataFrame, rules: FrameRules
) -> tuple[pl.DataFrame, pl.DataFrame, Counter[str]]:
    """Direct replies with their texts; nested comments only as who answered whom."""
    parent = pl.col("parent_id")
    frame = _with_community_and_time(frame, rules).with_columns(
        drop=first_reason(
            *_place_and_time_reasons("reply_id", rules.rules.cutoff),
            (parent.str.starts_with("t1_"), "nested_comment"),
            (~parent.str.starts_with("t3_").fill_null(False), "no_parent"),
            (is_removed(pl.col("text")), "removed"),
            (~pl.col("text").str.contains(r"\S"), "empty_text"),
        )
    )
    nested = frame.filter((pl.col("drop") == "nested_comment") & pl.col("author").is_not_null()).select(
        parent.str.slice(3), pl.col("link_id").str.strip_prefix("t3_").alias("post_id"), "author"
    )
    replies = frame.filter(pl.col("drop").is_null()).select(
        "reply_id",
        parent.str.slice(3).alias("post_id"),
        "community",
        clean_column("text"),
        "author",
        "created",
        "score",
    )
    return hide_mentions(replies, "text", rules.pseudonyms), nested, reason_counts(frame)


def clean_column(name: str) -> pl.Expr:
    """Reddit escapes three characters, once; one pass decodes each of them once."""
    return pl.col(name).str.replace_many(_ENTITIES, _DECODED, leftmost=True)


def _with_community_and_time(frame: pl.DataFrame, rules: FrameRules) -> pl.DataFrame:
    community = pl.col("community")
    if rules.wanted:
        stored = community.str.to_lowercase().replace_strict(
            rules.wanted, default=None, return_dtype=pl.String
        )
    else:
        stored = community
    return frame.with_columns(
        stored.alias("stored"), pl.from_epoch("created", time_unit="s").dt.cast_time_unit("us").cast(TIME)
    ).rename({"community": "named", "stored": "community"})


def _place_and_time_reasons(id_column: str, cutoff: datetime | None) -> list[Reason]:
    named = pl.col("named")
    return [
        (named.is_null() | ~named.str.contains(f"^(?:{NAME_PATTERN})$"), "no_community"),
        (pl.col("community").is_null(), "other_community"),
        (pl.col(id_column) == "", "no_id"),
        *time_reasons(cutoff),
    ]
