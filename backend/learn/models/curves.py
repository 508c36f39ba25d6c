"""What an adapter of micromodels looks for, as charts: the curves that move each theme most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import msgspec

from backend.core.web.charts import Chart, LineChart, LineSeries, line_chart
from backend.learn.models.models import Adapter
from codebook.schema import Codebook, Question
from learning.additive_curves import Curve
from learning.micromodels import CodeMicromodels, read_micromodels

SHOWN = 3
LONGEST_TITLE = 70


@dataclass(frozen=True, slots=True)
class ThemeCurves:
    name: str
    n_micromodels: int
    n_seeds: int
    charts: list[Chart]


def theme_curves(adapter: Adapter, codebook: Codebook) -> list[ThemeCurves]:
    """In the codebook's order; of adapters of other learners there are none."""
    try:
        found = read_micromodels(adapter.folder)
    except (OSError, msgspec.DecodeError):
        return []
    names = {f"likeness to {code.id}": f"Likeness to “{code.name}”" for _, code in codebook.coded_questions()}
    return [
        ThemeCurves(
            code.name,
            len(found[code.id].groups),
            sum(map(len, found[code.id].groups)),
            _charts(found[code.id], question, names),
        )
        for question, code in codebook.coded_questions()
        if code.id in found
    ]


def _charts(of_code: CodeMicromodels, question: Question, names: Mapping[str, str]) -> list[Chart]:
    # Where training saw one answer alone there is no curve.
    titled = list(zip(of_code.model.curves, _titles(of_code, names), strict=False))
    titled.sort(key=lambda each: -each[0].importance)
    return [_chart(curve, *title, question) for curve, title in titled[:SHOWN] if len(curve.edges)]


def _titles(of_code: CodeMicromodels, names: Mapping[str, str]) -> list[tuple[str, str]]:
    """With a note. The curves after those of the groups are about other codes, which `names` name, and the context."""
    found = []
    for group in of_code.groups:
        words = " ".join(group[0].split())
        short = f"{words[:LONGEST_TITLE].rstrip()}…" if len(words) > LONGEST_TITLE else words
        found.append(
            (f"“{short}”", f"And {len(group) - 1:,} marked words like it." if len(group) > 1 else "")
        )
    others = [curve.feature for curve in of_code.model.curves[len(of_code.groups) :]]
    return [*found, *((names.get(each, f"{each[0].upper()}{each[1:]}"), "") for each in others)]


def _chart(curve: Curve, title: str, note: str, question: Question) -> Chart:
    ends = (0.0, *curve.edges, 1.0)
    middles = [(low + high) / 2 for low, high in pairwise(ends)]
    series = [
        LineSeries(label, [(x, heights[at]) for x, heights in zip(middles, curve.heights, strict=True)])
        for at, label in _answers(question)
    ]
    return line_chart(LineChart(title, series, x_label="likeness", unit="added", style="decimal", note=note))


def _answers(question: Question) -> Sequence[tuple[int, str]]:
    """The places of the answers that have a curve, with their words: of two the second's says it all."""
    if question.answer.has_levels:
        return [(at, level.label) for at, level in enumerate(question.levels)]
    return [(1, "yes")]
