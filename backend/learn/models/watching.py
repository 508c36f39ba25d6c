"""What there is to watch of a training: its loss as a curve, its score on the validation part, and what it said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isfinite

from backend.core.web.charts import Chart, LineChart, LineSeries, line_chart
from backend.core.web.formats import without_server_paths
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressLine, SaidLine, TrainingPoint, loss_curve, read_progress

LINES_SHOWN = 200
# More points than this are no more readable, and slow down a page that is drawn anew every other second.
POINTS_SHOWN = 150


@dataclass(frozen=True, slots=True)
class LogLine:
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Watched:
    """Charts are missing until there is something to draw: baselines have no loss."""

    charts: tuple[Chart, ...]
    log: tuple[LogLine, ...]


def watch_tasks(*folders: TaskFolder) -> Watched:
    """Of one task or of several that follow each other; reading never waits for whoever writes."""
    lines = [line for folder in folders for line in read_progress(folder.progress).lines]
    return Watched(tuple(_charts(loss_curve(lines))), _log(lines))


def _charts(points: Sequence[TrainingPoint]) -> list[Chart]:
    losses = [
        (point.step, point.loss) for point in points if point.dev_score is None and isfinite(point.loss)
    ]
    scores = [(point.step, point.dev_score) for point in points if point.dev_score is not None]
    found = []
    if losses:
        found.append(_chart("Loss", "Mean loss", _thin_out(losses)))
    if scores:
        found.append(_chart("Score on the validation part", "Score", scores))
    return found


def _chart(title: str, name: str, points: Sequence[tuple[int, float]]) -> Chart:
    series = LineSeries(name, tuple((float(step), value) for step, value in points))
    return line_chart(LineChart(title, (series,), x_label="Steps", style="decimal"))


def _thin_out(points: Sequence[tuple[int, float]]) -> Sequence[tuple[int, float]]:
    """Every so many, and always the newest.

    >>> _thin_out([(1, 0.5), (2, 0.4)])
    [(1, 0.5), (2, 0.4)]
    """
    every = -(-len(points) // POINTS_SHOWN)
    return list(points[::-1][::every][::-1])


def _log(lines: Sequence[ProgressLine]) -> tuple[LogLine, ...]:
    said = [line for line in lines if isinstance(line, SaidLine)]
    return tuple(
        LogLine(datetime.fromisoformat(line.at), without_server_paths(line.text))
        for line in said[-LINES_SHOWN:]
    )
