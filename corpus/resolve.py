"""The rules that need the whole dump: repeated ids, duplicates, orphans, self replies, who was answered."""

from collections import Counter
from dataclasses import dataclass

import polars as pl

from corpus.records import Kind
from corpus.rules import ImportRules
from corpus.staging import Staging

_KEY = ["community", "post_id"]


@dataclass(frozen=True)
class Resolution:
    """`posts` and `replies` have one row per staged row, in staged order.

    posts: keep, n_replies. replies: keep, answered_by_poster, accepted_by_poster.
    """

    posts: pl.DataFrame
    replies: pl.DataFrame
    drops: Counter[tuple[Kind, str]]


def resolve(staging: Staging, rules: ImportRules, *, has_nested: bool, has_accepted: bool) -> Resolution:
    """Works on ids and pseudonyms only; the texts stay on disk."""
    posts = _post_fates(_narrow_posts(staging), rules)
    kept = posts.filter(pl.col("fate").is_null())
    replies = _reply_fates(_narrow_replies(staging), posts, kept)
    replies = replies.with_columns(
        answered_by_poster=_poster_answered(staging, replies, kept)
        if has_nested
        else pl.lit(None, pl.Boolean),
        accepted_by_poster=_accepted_answer() if has_accepted else pl.lit(None, pl.Boolean),
    )
    counts = replies.filter(pl.col("fate").is_null()).group_by(_KEY).agg(n_replies=pl.len().cast(pl.Int64))
    posts = posts.join(counts, on=_KEY, how="left", maintain_order="left")
    keep = pl.col("fate").is_null().alias("keep")
    return Resolution(
        posts=posts.select(keep, pl.col("n_replies").fill_null(0)),
        replies=replies.select(keep, "answered_by_poster", "accepted_by_poster"),
        drops=_fate_counts("post", posts.filter(pl.col("drop").is_null())) + _fate_counts("reply", replies),
    )


def _narrow_posts(staging: Staging) -> pl.DataFrame:
    schema = {
        "community": pl.String(),
        "post_id": pl.String(),
        "poster": pl.UInt64(),
        "created": pl.Int64(),
        "drop": pl.String(),
        "digest": pl.Binary(),
        "accepted_id": pl.String(),
    }
    files = staging.files("posts")
    if not files:
        return pl.DataFrame(schema=schema).with_row_index("row")
    frame = pl.scan_parquet(files, glob=False)
    return (
        frame.select("community", "post_id", _person("poster"), *list(schema)[3:])
        .collect()
        .with_row_index("row")
    )


def _narrow_replies(staging: Staging) -> pl.DataFrame:
    files = staging.files("replies")
    if not files:
        ids = {
            "community": pl.String(),
            "reply_id": pl.String(),
            "post_id": pl.String(),
            "replier": pl.UInt64(),
        }
        return pl.DataFrame(schema=ids).with_row_index("row")
    frame = pl.scan_parquet(files, glob=False)
    return (
        frame.select("community", "reply_id", "post_id", _person("replier")).collect().with_row_index("row")
    )


def _person(name: str) -> pl.Expr:
    """Pseudonyms hold 64 bits, so comparing them as 64-bit hashes tells as much, in half the memory."""
    return pl.when(pl.col("author").is_not_null()).then(pl.col("author").hash()).alias(name)


def _post_fates(posts: pl.DataFrame, rules: ImportRules) -> pl.DataFrame:
    alive = posts.filter(pl.col("drop").is_null())
    single = alive.unique(subset=_KEY, keep="first", maintain_order=True)
    earliest = single
    if rules.drop_duplicate_posts:
        order = ["created", pl.col("post_id").str.len_bytes(), "post_id"]
        earliest = single.sort(order, nulls_last=True).unique(
            subset=["community", "digest"], keep="first", maintain_order=True
        )
    row = pl.col("row")
    fate = (
        pl.when(pl.col("drop").is_not_null())
        .then("drop")
        .when(~row.is_in(single["row"].implode()))
        .then(pl.lit("repeated_id"))
        .when(~row.is_in(earliest["row"].implode()))
        .then(pl.lit("duplicate"))
    )
    return posts.with_columns(fate=fate)


def _reply_fates(replies: pl.DataFrame, posts: pl.DataFrame, kept: pl.DataFrame) -> pl.DataFrame:
    single = replies.unique(subset=["community", "reply_id"], keep="first")["row"]
    known = posts.select(*_KEY, known=True).unique()
    targets = kept.select(*_KEY, "poster", "accepted_id", alive=True)
    joined = replies.join(known, on=_KEY, how="left", maintain_order="left").join(
        targets, on=_KEY, how="left", maintain_order="left"
    )
    fate = (
        pl.when(~pl.col("row").is_in(single.implode()))
        .then(pl.lit("repeated_id"))
        .when(pl.col("known").is_null())
        .then(pl.lit("post_not_in_dump"))
        .when(pl.col("alive").is_null())
        .then(pl.lit("post_dropped"))
        .when(pl.col("replier") == pl.col("poster"))
        .then(pl.lit("by_poster"))
    )
    return joined.with_columns(fate=fate).drop("known", "alive", "replier")


def _poster_answered(staging: Staging, replies: pl.DataFrame, kept: pl.DataFrame) -> pl.Expr:
    """Null where the poster's name is gone, because then nobody can tell."""
    files = staging.files("nested")
    if not files:
        return pl.when(pl.col("poster").is_not_null()).then(False)
    posters = kept.lazy().select("post_id", "poster").filter(pl.col("poster").is_not_null())
    answered = (
        pl.scan_parquet(files, glob=False)
        .select("parent_id", "post_id", _person("poster"))
        .join(posters, on=["post_id", "poster"], how="semi")
        .select("parent_id")
        .unique()
        .collect(engine="streaming")["parent_id"]
    )
    return pl.when(pl.col("poster").is_not_null()).then(pl.col("reply_id").is_in(answered.implode()))


def _accepted_answer() -> pl.Expr:
    return (pl.col("reply_id") == pl.col("accepted_id")).fill_null(False)


def _fate_counts(kind: Kind, frame: pl.DataFrame) -> Counter[tuple[Kind, str]]:
    counts = frame.filter(pl.col("fate").is_not_null()).group_by("fate").agg(n=pl.len())
    return Counter({(kind, reason): number for reason, number in counts.iter_rows()})
