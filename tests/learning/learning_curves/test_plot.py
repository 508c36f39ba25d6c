"""The plot says what the curves say, and is a picture that any reader opens."""

from xml.etree import ElementTree

import msgspec
import pytest

from learning.learning_curves.plot import curves_svg, ticks
from tests.learning.learning_curves.test_simulation_summary import FASTER

SVG = "{http://www.w3.org/2000/svg}"


def test_every_strategy_is_a_line_with_its_name() -> None:
    picture = ElementTree.fromstring(curves_svg(FASTER))
    lines = picture.findall(f"{SVG}polyline")
    assert len(lines) == 3
    words = [text.text for text in picture.findall(f"{SVG}text")]
    assert {"random", "entropy", "k-centre", "95% of the score with all labels"} <= set(words)
    heights = [[float(point.split(",")[1]) for point in line.attrib["points"].split()] for line in lines]
    # The better, the higher up, that is the smaller y.
    assert heights[1][1] < heights[0][1] < heights[2][1]
    assert heights[0][0] == heights[1][0] == heights[2][0]


def test_names_cannot_break_out() -> None:
    settings = msgspec.structs.replace(FASTER.settings, release='<script>"&')
    drawn = curves_svg(msgspec.structs.replace(FASTER, settings=settings))
    assert "<script" not in drawn
    assert ElementTree.fromstring(drawn).attrib["aria-label"].startswith('<script>"&')


@pytest.mark.parametrize(("low", "high"), [(0.1, 0.1), (0.0, 0.0), (0.512, 0.733), (-3, 400)])
def test_ticks_hold_both_ends(low: float, high: float) -> None:
    found = ticks(low, high)
    assert found[0] <= low and found[-1] >= high and len(found) <= 9
