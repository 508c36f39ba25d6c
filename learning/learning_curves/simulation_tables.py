"""A simulation as tables: every point as CSV, and the summary as CSV and for a terminal."""

import csv
import io
from collections.abc import Sequence

from learning.learning_curves.intervals import Interval
from learning.learning_curves.simulation import Simulation
from learning.learning_curves.simulation_summary import StrategySummary, summaries, target_of

NOTHING = "–"
SUMMARY_COLUMNS = (
    *("strategy", "runs", "reached", "labels_to_95", "minutes_to_95"),
    *(
        "labels_apart",
        "is_bound",
        "labels_low",
        "labels_high",
        "score_apart",
        "score_low",
        "score_high",
        "last_score",
    ),
)


def curves_csv(simulation: Simulation) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["strategy", "seed", "labels", "minutes", "score"])
    for run in simulation.runs:
        for point in run.points:
            writer.writerow(
                [run.strategy, run.seed, point.n_labels, f"{point.minutes:.2f}", f"{point.score:.6f}"]
            )
    return out.getvalue()


def summary_csv(simulation: Simulation) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(SUMMARY_COLUMNS)
    for each in summaries(simulation):
        writer.writerow(
            [each.strategy, each.n_runs, each.n_reached, _plain(each.labels, 0), _plain(each.minutes, 0)]
            + _labels_cells(each)
            + [_plain(part, 4) for part in _parts(each.score_apart)]
            + [_plain(each.last_score, 4)]
        )
    return out.getvalue()


def _labels_cells(each: StrategySummary) -> list[str]:
    value, low, high = (_plain(part, 1) for part in _parts(each.labels_apart))
    bound = "yes" if each.is_bound else "no"
    return [value, bound if value else "", *(["", ""] if each.is_bound else [low, high])]


def _parts(interval: Interval | None) -> tuple[float | None, ...]:
    return (None, None, None) if interval is None else (interval.value, interval.low, interval.high)


def _plain(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def summary_lines(simulation: Simulation) -> list[str]:
    settings = simulation.settings
    head = (
        f"{settings.learner} on {simulation.n_pool:,} items, measured on {simulation.n_test:,}; all labels score "
        f"{simulation.full_score:.3f}, of which 95% are {target_of(simulation):.3f}"
    )
    rows: list[tuple[str, ...]] = [
        ("strategy", "labels to 95%", "against random", "score against random", f"at {settings.most:,}")
    ]
    rows += [_row(each) for each in summaries(simulation)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    left_out = []
    if simulation.n_suggested:
        left_out = [
            f"Left out of measuring, judged with a suggestion in view: {simulation.n_suggested:,} items"
        ]
    return [head, *left_out, "", *(line.rstrip() for line in lines), "", _footnote(settings.seeds)]


def _row(each: StrategySummary) -> tuple[str, ...]:
    labels = f"reached in {each.n_reached} of {each.n_runs}" if each.labels is None else f"{each.labels:,.0f}"
    return (
        each.strategy,
        labels,
        _labels_apart(each),
        _interval(each.score_apart, 3),
        f"{each.last_score:.3f}",
    )


def _labels_apart(each: StrategySummary) -> str:
    """Where random did not get there, how many fewer it was at least."""
    if each.labels_apart is None or not each.is_bound:
        return _interval(each.labels_apart, 0)
    return f"below {each.labels_apart.value:+,.0f}"


def _interval(interval: Interval | None, digits: int) -> str:
    if interval is None:
        return NOTHING
    value = f"{interval.value:+,.{digits}f}"
    if interval.low is None or interval.high is None:
        return value
    return f"{value} [{interval.low:+,.{digits}f}, {interval.high:+,.{digits}f}]"


def _footnote(seeds: Sequence[int]) -> str:
    return (
        f"95% intervals over {len(seeds)} seeds, paired: other beginnings in the same data, not other data."
    )
