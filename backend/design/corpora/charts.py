"""The charts of a corpus's page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from backend.core.web.charts import (
    Bar,
    BarChart,
    Chart,
    GroupedBarChart,
    Series,
    bar_chart,
    grouped_bar_chart,
)
from backend.design.corpora.time_line import time_line
from corpus.records import Kind
from corpus.summary import Bin as SummaryBin
from corpus.summary import CorpusSummary


@dataclass(frozen=True)
class CorpusCharts:
    communities: Chart
    posts_over_time: Chart
    replies_over_time: Chart
    post_lengths: Chart
    reply_lengths: Chart
    replies_per_post: Chart
    dropped_posts: Chart
    dropped_replies: Chart


def corpus_charts(summary: CorpusSummary) -> CorpusCharts:
    communities = summary.communities
    return CorpusCharts(
        communities=grouped_bar_chart(
            GroupedBarChart(
                title="Posts and replies by community",
                categories=tuple(community.name for community in communities),
                series=(
                    Series("Posts", tuple(community.posts for community in communities)),
                    Series("Replies", tuple(community.replies for community in communities)),
                ),
                unit="records",
            )
        ),
        posts_over_time=time_line(summary, "posts"),
        replies_over_time=time_line(summary, "replies"),
        post_lengths=_histogram("Words per post", "posts", [c.post_lengths for c in communities]),
        reply_lengths=_histogram("Words per reply", "replies", [c.reply_lengths for c in communities]),
        replies_per_post=_histogram("Replies per post", "posts", [c.replies_per_post for c in communities]),
        dropped_posts=_drops(summary, "post", "Posts left out, by reason"),
        dropped_replies=_drops(summary, "reply", "Replies and comments left out, by reason"),
    )


def _histogram(title: str, unit: str, parts: Iterable[tuple[SummaryBin, ...]]) -> Chart:
    """Bins widen as values grow, so they are bars side by side and not areas; empty ends are left off."""
    counts: Counter[tuple[int, int | None]] = Counter()
    for bins in parts:
        for part in bins:
            counts[(part.low, part.high)] += part.count
    filled = [place for place, count in enumerate(counts.values()) if count]
    shown = list(counts.items())[filled[0] : filled[-1] + 1] if filled else []
    bars = tuple(Bar(_range(low, high), count) for (low, high), count in shown)
    return bar_chart(BarChart(title=title, bars=bars, unit=unit, empty="There is nothing to count."))


def _range(low: int, high: int | None) -> str:
    """
    >>> _range(5, 10), _range(1, 2), _range(2000, None)
    ('5–9', '1', '2,000 and more')
    """
    if high is None:
        return f"{low:,} and more"
    return f"{low:,}" if high == low + 1 else f"{low:,}–{high - 1:,}"


def _drops(summary: CorpusSummary, kind: Kind, title: str) -> Chart:
    found = sorted((drop for drop in summary.drops if drop.kind == kind), key=lambda drop: -drop.count)
    return bar_chart(
        BarChart(
            title=title,
            bars=tuple(Bar(reason_in_words(drop.reason), drop.count) for drop in found),
            unit="records",
            empty="Nothing was left out.",
        )
    )


def reason_in_words(reason: str) -> str:
    """
    >>> reason_in_words("post_not_in_dump")
    'Post not in dump'
    """
    return reason.replace("_", " ").capitalize()
