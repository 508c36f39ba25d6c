"""The savings meter as charts."""

from __future__ import annotations

from backend.core.web.charts import (
    Chart,
    DotIntervalChart,
    Estimate,
    LineChart,
    LineSeries,
    dot_interval_chart,
    line_chart,
)
from learning.learning_curves.savings import MeanPoint, Savings

MIXED, RANDOM = "Chosen and random items", "Random items alone"


def curves_chart(savings: Savings) -> Chart:
    """Each line ends where its labels end: there are more of the mix than of the random ones."""
    return line_chart(
        LineChart(
            title="Score by number of labels",
            series=[
                LineSeries(MIXED, _points(savings.mixed)),
                LineSeries(RANDOM, _points(savings.random)),
            ],
            x_label="labels",
            style="decimal",
            note="Means over trials of a fast model, measured on items that stand for the whole pool.",
        )
    )


def gain_chart(savings: Savings) -> Chart:
    """At each number of labels that both have, with intervals; right of the line is a gain."""
    gain = savings.gain
    return dot_interval_chart(
        DotIntervalChart(
            title=f"Gain over random at {savings.at_labels:,} labels",
            estimates=[Estimate("Difference in score", gain.value, gain.low, gain.high)],
            reference=0.0,
            note="Left of the line choosing has cost something; an interval across it shows nothing.",
        )
    )


def _points(points: tuple[MeanPoint, ...]) -> list[tuple[float, float]]:
    return [(float(point.n_labels), point.score.value) for point in points]
