"""The made-up numbers and the form that the style page shows its components with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django import forms

from backend.core.web.charts import (
    Band,
    Bar,
    BarChart,
    Bin,
    Chart,
    DotIntervalChart,
    Estimate,
    GroupedBarChart,
    Heatmap,
    Histogram,
    LineChart,
    LineSeries,
    Series,
    bar_chart,
    dot_interval_chart,
    grouped_bar_chart,
    heatmap,
    histogram,
    line_chart,
)


@dataclass(frozen=True)
class ExampleCommunity:
    name: str
    posts: int
    replies: int
    answered: float


EXAMPLE_COMMUNITIES = (
    ExampleCommunity("New parents", 12_345, 48_120, 0.4131),
    ExampleCommunity("Grief and loss", 8_214, 39_877, 0.5502),
    ExampleCommunity("Career change", 23_090, 61_434, 0.2874),
    ExampleCommunity("Chronic illness", 4_402, 17_365, 0.4986),
    ExampleCommunity("Learning to cook", 991, 2_410, 0.6127),
)


class ExampleForm(forms.Form):
    name = forms.CharField(
        label="Name of the sample", help_text="Shown to annotators with each batch.", max_length=80
    )
    size = forms.IntegerField(label="Pairs per community", min_value=1, initial=100)
    design = forms.ChoiceField(
        label="Design",
        choices=[
            ("weighted", "Proportional to replies + 1"),
            ("uniform", "Uniform over pairs"),
            ("posts", "Posts with all replies"),
        ],
    )
    kind = forms.ChoiceField(
        label="Who may see it",
        choices=[("all", "Everyone in the study"), ("researchers", "Researchers only")],
        widget=forms.RadioSelect,
        initial="all",
    )
    notes = forms.CharField(label="Notes", required=False, widget=forms.Textarea(attrs={"rows": 3}))
    dump = forms.FileField(
        label="Dump", required=False, help_text="Up to 512 MB: .zst, .gz, .xml, .7z, .csv or .jsonl."
    )
    blind = forms.BooleanField(
        label="Hide the community from annotators", required=False, help_text="They see the text only."
    )


def example_charts() -> dict[str, Chart]:
    return {
        "dropped": _chart_with_gap(),
        "parts": _parts(stacked=False),
        "shares": _parts(stacked=True),
        "lengths": _lengths(),
        "months": _months(),
        "agreement": _agreement(),
        "pairs": _pairs(),
        "together": _together(),
        "nothing": bar_chart(BarChart("Flags by annotator", (), empty="No item has been flagged yet.")),
    }


def _chart_with_gap() -> Chart:
    bars = (
        Bar("Text removed by moderators", 18_204),
        Bar("Reply to a reply", 15_971, "only direct replies are kept"),
        Bar("Written by the poster", 6_310),
        Bar("Deleted account", 4_077),
        Bar("Duplicate post", 812),
        Bar("After the cut-off date", 23),
    )
    return bar_chart(
        BarChart("Left out at import", bars, unit="records", note="A record counts under its first reason.")
    )


def _parts(stacked: bool) -> Chart:
    names = tuple(community.name for community in EXAMPLE_COMMUNITIES)
    series = (
        Series("Answered by the poster", tuple(round(c.replies * c.answered) for c in EXAMPLE_COMMUNITIES)),
        Series("Not answered", tuple(round(c.replies * (1 - c.answered)) for c in EXAMPLE_COMMUNITIES)),
    )
    title = "Replies by community, stacked" if stacked else "Replies by community"
    return grouped_bar_chart(GroupedBarChart(title, names, series, stacked, unit="replies"))


def _lengths() -> Chart:
    counts = (310, 820, 1_240, 1_105, 870, 640, 455, 300, 214, 150, 96, 61)
    bins = [Bin(25 * index, 25 * (index + 1), count) for index, count in enumerate(counts)]
    return histogram(
        Histogram("Length of posts", (*bins, Bin(300, None, 188)), x_label="Words", unit="posts")
    )


def _months() -> Chart:
    months = [date(2019 + index // 12, index % 12 + 1, 1) for index in range(54)]
    waves = ((180, 9, 5), (90, 4, 8), (240, -2, 11))
    names = ("New parents", "Grief and loss", "Career change")
    series = tuple(
        LineSeries(name, [(month, base + slope * i + (i * 37 % bump) * 12) for i, month in enumerate(months)])
        for name, (base, slope, bump) in zip(names, waves, strict=True)
    )
    return line_chart(LineChart("Posts over time", series, unit="posts a month", wide=True))


def _agreement() -> Chart:
    estimates = (
        Estimate("Shares an own experience", 0.81, 0.74, 0.87),
        Estimate("Names the feeling", 0.66, 0.57, 0.74),
        Estimate("Asks to understand", 0.58, 0.47, 0.68),
        Estimate("CandidateAnswers advice", 0.72, 0.64, 0.79),
        Estimate("Wishes well", None, note="Nobody used this code."),
    )
    bands = (Band("low", 0, 0.4), Band("fair", 0.4, 0.75), Band("high", 0.75, 1))
    unit = "Fleiss’ kappa, 95% interval"
    return dot_interval_chart(
        DotIntervalChart("Agreement", estimates, lower=0, upper=1, reference=0.6, unit=unit, bands=bands)
    )


def _pairs() -> Chart:
    people = ("amal", "bea", "chen")
    values = ((None, 0.71, 0.52), (0.71, None, 0.63), (0.52, 0.63, None))
    return heatmap(Heatmap("Who agrees with whom", people, people, values, unit="Cohen’s kappa"))


def _together() -> Chart:
    codes = ("Shares an own experience", "Names the feeling", "Asks to understand", "CandidateAnswers advice")
    values = (
        (1, 0.34, 0.12, -0.21),
        (0.34, 1, 0.45, -0.08),
        (0.12, 0.45, 1, -0.55),
        (-0.21, -0.08, -0.55, 1),
    )
    return heatmap(Heatmap("What goes together", codes, codes, values, diverging=True, unit="correlation"))
