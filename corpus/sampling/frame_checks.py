"""What posts and replies must satisfy before anything may be drawn from them."""

import polars as pl

from corpus.sampling.errors import (
    DuplicateUnits,
    MissingColumns,
    MissingIdentifiers,
    OrphanReplies,
    ReplyCountMismatch,
    WrongColumnType,
)


def read_columns(
    table: pl.LazyFrame, name: str, identifiers: tuple[str, ...], count: str | None = None
) -> pl.DataFrame:
    """Only these columns, with identifiers as text and the count as Int64."""
    schema = table.collect_schema()
    wanted = identifiers if count is None else (*identifiers, count)
    missing = [column for column in wanted if column not in schema]
    if missing:
        raise MissingColumns(name, missing)
    for column in identifiers:
        if not _names_things(schema[column]):
            raise WrongColumnType(name, column, str(schema[column]), "text or whole numbers")
    columns = [pl.col(column).cast(pl.String) for column in identifiers]
    if count is not None:
        if not schema[count].is_integer():
            raise WrongColumnType(name, count, str(schema[count]), "whole numbers")
        columns.append(pl.col(count).cast(pl.Int64))
    rows = table.select(columns).collect()
    empty = rows.filter(pl.any_horizontal(pl.col(c).is_null() | (pl.col(c) == "") for c in identifiers))
    if empty.height:
        raise MissingIdentifiers(name, empty.height)
    return rows


def _names_things(dtype: pl.DataType) -> bool:
    return dtype.is_integer() or dtype in (pl.String, pl.Categorical, pl.Enum)


def check_units(posts: pl.DataFrame, replies: pl.DataFrame) -> None:
    """Identifiers unique within a community, every reply under a known post, every n_replies true."""
    _refuse_duplicates(posts, "posts", "post_id")
    _refuse_duplicates(replies, "replies", "reply_id")
    counted = replies.group_by("community", "post_id").agg(pl.len().cast(pl.Int64).alias("found"))
    orphans = counted.join(posts, on=["community", "post_id"], how="anti")
    if orphans.height:
        community, post_id, _ = orphans.sort("community", "post_id").row(0)
        raise OrphanReplies(int(orphans["found"].sum()), community, post_id)
    both = posts.join(counted, on=["community", "post_id"], how="left")
    both = both.with_columns(pl.col("found").fill_null(0))
    wrong = both.filter(pl.col("n_replies").ne_missing(pl.col("found")))
    if wrong.height:
        community, post_id, stated, found = wrong.sort("community", "post_id").row(0)
        raise ReplyCountMismatch(wrong.height, community, post_id, stated, found)


def _refuse_duplicates(rows: pl.DataFrame, name: str, identifier: str) -> None:
    keys = ["community", identifier]
    repeated = rows.group_by(keys).len().filter(pl.col("len") > 1).sort(keys)
    if repeated.height:
        community, value, _ = repeated.row(0)
        raise DuplicateUnits(name, int(repeated["len"].sum()), community, value)
