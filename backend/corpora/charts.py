"""The charts of a corpus's page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from backend.web.charts import (
    Bar,
    BarChart,
    Bin,
    Chart,
    GroupedBarChart,
    Histogram,
    LineChart,
    LineSeries,
    Series,
    bar_chart,
    grouped_bar_chart,
    histogram,
    line_chart,
)
from corpus.records import Kind
from corpus.summary import Bin as SummaryBin
from corpus.summary import CorpusSummary

UNDATED = "No record has a date."


@dataclass(frozen=True)
class CorpusCharts:
    communities: Chart
    time_line: Chart
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
        time_line=line_chart(
            LineChart(
                title="Posts over time",
                series=tuple(
                    LineSeries(
                        community.name, tuple((month.month, month.posts) for month in community.months)
                    )
                    for community in communities
                    if community.months
                ),
                unit="posts a month",
                wide=True,
                empty=UNDATED,
            )
        ),
        post_lengths=_histogram(
            "Length of posts", "Words per post", "posts", [c.post_lengths for c in communities]
        ),
        reply_lengths=_histogram(
            "Length of replies", "Words per reply", "replies", [c.reply_lengths for c in communities]
        ),
        replies_per_post=_histogram(
            "Replies per post", "Replies", "posts", [c.replies_per_post for c in communities]
        ),
        dropped_posts=_drops(summary, "post", "Posts left out, by reason"),
        dropped_replies=_drops(summary, "reply", "Replies and comments left out, by reason"),
    )


def _histogram(title: str, x_label: str, unit: str, parts: Iterable[tuple[SummaryBin, ...]]) -> Chart:
    counts: Counter[tuple[int, int | None]] = Counter()
    for bins in parts:
        for part in bins:
            counts[(part.low, part.high)] += part.count
    bins = tuple(Bin(low, high, count) for (low, high), count in counts.items())
    return histogram(Histogram(title=title, bins=bins, x_label=x_label, unit=unit))


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
