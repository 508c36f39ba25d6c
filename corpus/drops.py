"""Why a record is left out: the first reason that applies is the one that is counted."""

from collections import Counter
from datetime import datetime

import polars as pl

from corpus.records import DropCount, Kind

Reason = tuple[pl.Expr, str]


def time_reasons(cutoff: datetime | None) -> list[Reason]:
    """With a cut-off, a record without a date cannot be placed before it."""
    if cutoff is None:
        return []
    created = pl.col("created")
    return [(created.is_null(), "no_date"), (created >= cutoff, "after_cutoff")]


def first_reason(*reasons: Reason) -> pl.Expr:
    if not reasons:
        return pl.lit(None, pl.String)
    return pl.coalesce(pl.when(applies).then(pl.lit(reason)) for applies, reason in reasons)


def reason_counts(frame: pl.DataFrame) -> Counter[str]:
    """Counts the values of the column `drop`."""
    counts = frame.filter(pl.col("drop").is_not_null()).group_by("drop").agg(n=pl.len())
    return Counter(dict(counts.iter_rows()))


def drop_counts(kind: Kind, counts: Counter[str]) -> tuple[DropCount, ...]:
    return tuple(DropCount(kind, reason, count) for reason, count in sorted(counts.items()) if count)
