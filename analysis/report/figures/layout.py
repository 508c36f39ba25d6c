"""Where panels stand, counted in inches from the size of their words, so that no name is cut and no panel shrinks."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextToPath

_POINTS = 72
_LINE = 1.25
TITLE_SIZE, LABEL_SIZE = 7.5, 6.5


@dataclass(frozen=True, slots=True)
class Room:
    """Around the panels, and between their rows and columns. `above` is for the titles of each row."""

    left: float
    right: float
    top: float
    bottom: float
    above: Sequence[float]
    between_rows: float
    between_columns: float


def widest(names: Sequence[str], size: float = LABEL_SIZE) -> float:
    """In inches, of names that may have several lines."""
    lines = [line for name in names for line in name.splitlines()]
    return max((_width(line, size) for line in lines), default=0.0)


def tallest(names: Sequence[str], size: float = LABEL_SIZE) -> float:
    most = max((name.count("\n") + 1 for name in names), default=0)
    return most * size * _LINE / _POINTS


def break_to_fit(
    name: str, inches: float, *, size: float = LABEL_SIZE, lines: int = 2, is_bold: bool = False
) -> str:
    """In at most so many lines of such a width, about equally long; what is longer ends in an ellipsis."""
    made = _break_lines(name, inches, size, is_bold)
    narrower = inches - 0.05
    while 1 < len(made) <= lines and len(tighter := _break_lines(name, narrower, size, is_bold)) == len(made):
        if widest(tighter, size) > narrower:
            break
        made, narrower = tighter, narrower - 0.05
    kept = made[:lines]
    if len(made) > lines:
        kept[-1] += "…"
    return "\n".join(_cut(line, inches, size, is_bold) for line in kept)


def _break_lines(name: str, inches: float, size: float, is_bold: bool) -> list[str]:
    made: list[str] = []
    for word in name.split():
        longer = f"{made[-1]} {word}" if made else word
        if made and _width(longer, size, is_bold) <= inches:
            made[-1] = longer
        else:
            made.append(word)
    return made


def _cut(line: str, inches: float, size: float, is_bold: bool) -> str:
    """A single word may be too long."""
    if _width(line, size, is_bold) <= inches:
        return line
    kept = line.removesuffix("…")
    while len(kept) > 1 and _width(kept + "…", size, is_bold) > inches:
        kept = kept[:-1]
    return kept + "…"


@cache
def _width(text: str, size: float, is_bold: bool = False) -> float:
    font = FontProperties(family="DejaVu Sans", size=size, weight="bold" if is_bold else "normal")
    width, _, _ = TextToPath().get_text_width_height_descent(text, font, ismath=False)
    return float(width) / _POINTS


def place_axes(
    width: float, heights: Sequence[float], counts: Sequence[int], room: Room, *, across: int | None = None
) -> tuple[Figure, list[list[Axes]]]:
    """A figure so wide, with rows of panels whose insides are so high; `counts` are the panels of each row."""
    columns = across or max(counts)
    inside = (width - room.left - room.right - room.between_columns * (columns - 1)) / columns
    height = room.top + room.bottom + sum(heights) + sum(room.above)
    height += room.between_rows * (len(heights) - 1)
    figure = Figure(figsize=(width, height))
    top, grid = height - room.top, []
    for high, above, count in zip(heights, room.above, counts, strict=True):
        bottom = top - above - high
        lefts = [room.left + at * (inside + room.between_columns) for at in range(count)]
        grid.append(
            [
                figure.add_axes((left / width, bottom / height, inside / width, high / height))
                for left in lefts
            ]
        )
        top = bottom - room.between_rows
    return figure, grid
