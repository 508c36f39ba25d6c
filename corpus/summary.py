"""What a corpus looks like in numbers, for its page: counts, lengths, time-line and what was dropped."""

from collections import Counter
from dataclasses import dataclass
from datetime import date

import polars as pl

from corpus.records import DropCount, ImportRecord, Kind
from corpus.store import CorpusStore

LENGTH_EDGES = (0, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
REPLY_EDGES = (0, 1, 2, 3, 4, 5, 10, 20, 50, 100, 200)


@dataclass(frozen=True)
class Lengths:
    """Words per text."""

    lower_quartile: float
    median: float
    upper_quartile: float


@dataclass(frozen=True)
class Bin:
    """From `low` up to, but without, `high`; the last bin is open."""

    low: int
    high: int | None
    count: int


@dataclass(frozen=True)
class Month:
    month: date
    posts: int
    replies: int


@dataclass(frozen=True)
class CommunitySummary:
    """`answered` and `accepted` are shares of the replies for which it is known; None if for none."""

    name: str
    platform: str
    posts: int
    replies: int
    posts_without_replies: int
    answered: float | None
    accepted: float | None
    post_words: Lengths | None
    reply_words: Lengths | None
    post_lengths: tuple[Bin, ...]
    reply_lengths: tuple[Bin, ...]
    replies_per_post: tuple[Bin, ...]
    months: tuple[Month, ...]


@dataclass(frozen=True)
class CorpusSummary:
    communities: tuple[CommunitySummary, ...]
    drops: tuple[DropCount, ...]
    imports: tuple[ImportRecord, ...]

    @property
    def posts(self) -> int:
        return sum(community.posts for community in self.communities)

    @property
    def replies(self) -> int:
        return sum(community.replies for community in self.communities)


def summarise_corpus(store: CorpusStore) -> CorpusSummary:
    """One community at a time, so that memory stays that of the largest one's columns without its texts."""
    manifest = store.manifest()
    visible = set(manifest.communities.values())
    drops: Counter[tuple[Kind, str]] = Counter()
    for record in manifest.imports:
        if record.id in visible or not record.communities:
            drops.update({(drop.kind, drop.reason): drop.count for drop in record.drops})
    return CorpusSummary(
        communities=tuple(_summarise_community(store, name) for name in sorted(manifest.communities)),
        drops=tuple(DropCount(kind, reason, count) for (kind, reason), count in sorted(drops.items())),
        imports=manifest.imports,
    )


def _words(column: str) -> pl.Expr:
    return pl.col(column).str.count_matches(r"\S+")


def _summarise_community(store: CorpusStore, name: str) -> CommunitySummary:
    month = pl.col("created").dt.truncate("1mo").dt.date().alias("month")
    posts = (
        store.scan_posts(name)
        .select("platform", "n_replies", month, _words("text").alias("words"))
        .collect(engine="streaming")
    )
    replies = (
        store.scan_replies(name)
        .select("answered_by_poster", "accepted_by_poster", month, _words("text").alias("words"))
        .collect(engine="streaming")
    )
    return CommunitySummary(
        name=name,
        platform=str(posts["platform"].first()),
        posts=posts.height,
        replies=replies.height,
        posts_without_replies=posts.filter(pl.col("n_replies") == 0).height,
        answered=_share(replies["answered_by_poster"]),
        accepted=_share(replies["accepted_by_poster"]),
        post_words=_lengths(posts["words"]),
        reply_words=_lengths(replies["words"]),
        post_lengths=_histogram(posts["words"], LENGTH_EDGES),
        reply_lengths=_histogram(replies["words"], LENGTH_EDGES),
        replies_per_post=_histogram(posts["n_replies"], REPLY_EDGES),
        months=_months(posts["month"], replies["month"]),
    )


def _share(known: pl.Series) -> float | None:
    mean = known.cast(pl.Float64).mean()
    return mean if isinstance(mean, float) else None


def _lengths(words: pl.Series) -> Lengths | None:
    if words.is_empty():
        return None
    values = [words.quantile(share, interpolation="linear") for share in (0.25, 0.5, 0.75)]
    return Lengths(*(float(value or 0) for value in values))


def _histogram(values: pl.Series, edges: tuple[int, ...]) -> tuple[Bin, ...]:
    places = values.rename("value").to_frame().select(bin=_bin_number(edges))["bin"].value_counts()
    counts: dict[int, int] = dict(places.iter_rows())
    highs: list[int | None] = [*edges[1:], None]
    return tuple(
        Bin(low, high, counts.get(index, 0))
        for index, (low, high) in enumerate(zip(edges, highs, strict=True))
    )


def _bin_number(edges: tuple[int, ...]) -> pl.Expr:
    return pl.sum_horizontal((pl.col("value") >= edge).cast(pl.Int32) for edge in edges[1:])


def _months(posts: pl.Series, replies: pl.Series) -> tuple[Month, ...]:
    """Only months with something in them, in order; undated records are left out."""
    post_counts: dict[date, int] = dict(posts.drop_nulls().value_counts().iter_rows())
    reply_counts: dict[date, int] = dict(replies.drop_nulls().value_counts().iter_rows())
    months = sorted(post_counts.keys() | reply_counts.keys())
    return tuple(Month(month, post_counts.get(month, 0), reply_counts.get(month, 0)) for month in months)
