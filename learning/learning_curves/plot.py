"""Learning curves as an SVG file that stands alone: any browser opens it, and it needs no style sheet."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from learning.learning_curves.simulation import Simulation
from learning.learning_curves.simulation_summary import mean_curve, target_of

# Colours that colour-blind people tell apart (Okabe & Ito 2008); the dashes help in grey print.
COLOURS = ("#333333", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a7400", "#7a4fbf")
DASHES = ("", "", "7 3", "2 3", "8 3 2 3", "", "7 3", "2 3", "8 3 2 3")
QUOTE = '"'
WIDTH, HEIGHT = 860, 480
LEFT, RIGHT, TOP, BOTTOM = 70, 640, 48, 420
STYLE = (
    "text{font-family:Inter,Helvetica,Arial,sans-serif;font-size:13px;fill:#333}"
    ".title{font-size:16px;font-weight:600}.grid{stroke:#ddd}.target{stroke:#999;stroke-dasharray:4 4}"
    ".curve{fill:none;stroke-width:2}"
)


@dataclass(frozen=True, slots=True)
class _Axes:
    xs: tuple[float, float]
    ys: tuple[float, float]

    def place(self, x: float, y: float) -> tuple[float, float]:
        along = (x - self.xs[0]) / ((self.xs[1] - self.xs[0]) or 1)
        up = (y - self.ys[0]) / ((self.ys[1] - self.ys[0]) or 1)
        return LEFT + along * (RIGHT - LEFT), BOTTOM - up * (BOTTOM - TOP)


def curves_svg(simulation: Simulation) -> str:
    """The mean over seeds of each strategy, random first and in grey; a broken line at 95% of the full score."""
    curves = {name: mean_curve(simulation.runs_of(name)) for name in simulation.settings.strategies}
    target = target_of(simulation)
    sizes = [n for curve in curves.values() for n, _ in curve]
    scores = [score for curve in curves.values() for _, score in curve]
    axes = _axes(sizes, [*scores, target])
    shapes = [*_grid(axes), *_target(axes, target), *_lines(axes, curves), *_words(simulation)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(_title(simulation), {QUOTE: "&quot;"})}"><style>{STYLE}</style>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{"".join(shapes)}</svg>\n'
    )


def ticks(low: float, high: float, wanted: int = 6) -> list[float]:
    """Round numbers that hold both ends between them.

    >>> ticks(0.52, 0.71)
    [0.5, 0.55, 0.6, 0.65, 0.7, 0.75]
    """
    raw = (high - low) / wanted or abs(high) or 1.0
    power = 10 ** math.floor(math.log10(raw))
    step = next(power * each for each in (1, 2, 2.5, 5, 10) if power * each >= raw * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(n * step, 10) for n in range(first, last + 1)]


def _axes(sizes: Sequence[float], scores: Sequence[float]) -> _Axes:
    marks = ticks(min(scores), max(scores))
    return _Axes((min(sizes), max(sizes)), (marks[0], marks[-1]))


def _title(simulation: Simulation) -> str:
    return f"{simulation.settings.release}: score by number of labels, {simulation.settings.learner}"


def _grid(axes: _Axes) -> list[str]:
    shapes = []
    for mark in ticks(*axes.ys):
        _, y = axes.place(axes.xs[0], mark)
        shapes.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{RIGHT}" y2="{y:.1f}"/>')
        shapes.append(_text(LEFT - 8, y + 4, f"{mark:.3f}".rstrip("0").rstrip("."), "end"))
    for mark in ticks(*axes.xs):
        if axes.xs[0] <= mark <= axes.xs[1]:
            x, _ = axes.place(mark, axes.ys[0])
            shapes.append(_text(x, BOTTOM + 20, f"{mark:,.0f}", "middle"))
    return shapes


def _target(axes: _Axes, target: float) -> list[str]:
    _, y = axes.place(axes.xs[0], target)
    return [
        f'<line class="target" x1="{LEFT}" y1="{y:.1f}" x2="{RIGHT}" y2="{y:.1f}"/>',
        _text(LEFT + 4, y - 5, "95% of the score with all labels"),
    ]


def _lines(axes: _Axes, curves: dict[str, list[tuple[int, float]]]) -> list[str]:
    shapes = []
    for at, (name, curve) in enumerate(curves.items()):
        colour, dash = COLOURS[at % len(COLOURS)], DASHES[at % len(DASHES)]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (axes.place(*point) for point in curve))
        look = f'stroke="{colour}" stroke-dasharray="{dash}"' if dash else f'stroke="{colour}"'
        shapes.append(f'<polyline class="curve" {look} points="{points}"/>')
        y = TOP + 14 + 22 * at
        shapes.append(f'<line class="curve" {look} x1="{RIGHT + 20}" y1="{y}" x2="{RIGHT + 52}" y2="{y}"/>')
        shapes.append(_text(RIGHT + 60, y + 4, name))
    return shapes


def _words(simulation: Simulation) -> list[str]:
    n = len(simulation.settings.seeds)
    return [
        _text(LEFT, 26, _title(simulation), kind="title"),
        _text((LEFT + RIGHT) / 2, BOTTOM + 44, f"labels (means over {n} seeds)", "middle"),
    ]


def _text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{named}>{escape(words)}</text>'
