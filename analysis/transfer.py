"""The files of a transfer study: its tables, and heatmaps of how much each source changes each target."""

from __future__ import annotations

import msgspec

from analysis.report.charts import HeatmapChart, HeatmapPanel, Mark, colour_limit
from analysis.report.figures.draw import draw
from analysis.values import Way
from learning.transfer.results import RESULTS, PairResult, TransferResults
from learning.transfer.study import TaskKind
from learning.transfer.tables import (
    METRIC,
    importance_csv,
    importance_latex,
    matrix_csv,
    ratings_csv,
    scores_csv,
    scores_latex,
    tests_csv,
    themes_csv,
)

LEAST_LIMIT = 0.05
PAIRS = "pairs.csv"


def table_files(results: TransferResults, pairs: str) -> dict[str, bytes]:
    """By the name of the file, the results themselves last; `pairs` is the table of the features of pairs."""
    texts = {
        "matrix.csv": matrix_csv(results),
        "tests.csv": tests_csv(results),
        "importance.csv": importance_csv(results),
        PAIRS: pairs,
    }
    if results.importances.features:
        texts["importance.tex"] = importance_latex(results)
    if results.agreement:
        texts["ratings.csv"] = ratings_csv(results)
    if results.themes:
        texts["themes.csv"] = themes_csv(results)
    for kind in TaskKind:
        if results.of_kind(kind):
            texts[f"scores-{kind.value}.csv"] = scores_csv(results, kind)
            texts[f"scores-{kind.value}.tex"] = scores_latex(results, kind)
    files = {name: text.encode() for name, text in texts.items()}
    return files | {RESULTS: msgspec.json.format(msgspec.json.encode(results), indent=2)}


def heatmap_names(results: TransferResults) -> list[str]:
    """Of the files that `heatmap_files` draws."""
    return [
        f"heatmap-{kind.value}.{ending}"
        for kind in TaskKind
        if results.of_kind(kind)
        for ending in ("svg", "pdf")
    ]


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
