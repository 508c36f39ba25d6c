"""The heatmaps of a transfer study: by how much each source changes each target, for print and for the page."""

from __future__ import annotations

from analysis.report.charts import HeatmapChart, HeatmapPanel, Mark, colour_limit
from analysis.report.figures.draw import draw
from analysis.values import Way
from learning.transfer.results import PairResult, TransferResults
from learning.transfer.study import TaskKind
from learning.transfer.tables import METRIC

LEAST_LIMIT = 0.05


def transfer_heatmap(results: TransferResults, kind: TaskKind) -> HeatmapChart | None:
    """None where no target is of that kind."""
    targets = results.of_kind(kind)
    if not targets:
        return None
    panel = HeatmapPanel(
        title=f"Change in {METRIC[kind]}",
        rows=tuple(task.name for task in results.tasks),
        columns=tuple(task.name for task in targets),
        cells=tuple(
            tuple(_mark(results.pair(source.name, target.name)) for target in targets)
            for source in results.tasks
        ),
    )
    return HeatmapChart(
        name=f"heatmap-{kind.value}",
        pair="transfer",
        way=Way.NAIVE,
        title=f"Change in {METRIC[kind]} of the target",
        caption=f"Change of {METRIC[kind]} in percent of the target's baseline, after training on the source "
        "first. Pale where the 95% interval includes 0, not corrected for the number of pairs.",
        axis="percent of the baseline",
        unit="percent",
        panels=(panel,),
        symbol="%",
        row_axis="Source",
        column_axis="Target",
        limit=colour_limit((panel,), at_least=LEAST_LIMIT),
    )


def _mark(pair: PairResult | None) -> Mark | None:
    if pair is None:
        return None
    p = "" if pair.p_holm is None else f", p = {pair.p_holm:.3f} by Holm"
    return Mark(
        value=pair.change,
        low=pair.change_low,
        high=pair.change_high,
        p=pair.p_holm,
        sentence=f"{pair.source} → {pair.target}{p}.",
        note=pair.note,
    )


def heatmap_files(results: TransferResults) -> dict[str, bytes]:
    """By the name of the file, in SVG and PDF."""
    charts = [chart for kind in TaskKind if (chart := transfer_heatmap(results, kind)) is not None]
    return {
        f"{chart.name}.{ending}": content for chart in charts for ending, content in draw(chart).files.items()
    }
