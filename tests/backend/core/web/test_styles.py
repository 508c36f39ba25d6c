"""The styles keep their promises: readable contrast in both themes, small files, known tokens."""

import re
from pathlib import Path

import pytest

from backend.core import web

STYLES = sorted((Path(web.__file__).parent / "static" / "attune").glob("*.css"))
TOKENS = (Path(web.__file__).parent / "static" / "attune" / "tokens.css").read_text()
COLOURLESS = [path for path in STYLES if path.name not in ("tokens.css", "print.css")]
PAIRS = {
    name: (light, dark)
    for name, light, dark in re.findall(
        r"--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", TOKENS
    )
}
TEXT = [
    *(
        (ink, ground)
        for ink in ("ink", "ink-soft", "ink-faint", "accent", "bad")
        for ground in ("ground", "surface", "sunken", "raised")
    ),
    *((tone, f"{tone}-soft") for tone in ("info", "good", "warn", "bad")),
    *(("ink", f"{tone}-soft") for tone in ("info", "good", "warn", "bad", "accent")),
    ("on-tip", "tip"),
    ("accent-strong", "accent-soft"),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    ("on-bad", "bad"),
    ("on-bad", "bad-strong"),
    ("ink", "span"),
    *(("ink", f"heat-{step}") for step in range(7)),
    *(("ink", f"rust-{step}") for step in range(1, 7)),
]
SHAPES = [*((f"series-{n}", "surface") for n in range(1, 9)), ("line-strong", "raised"), ("accent", "ground")]


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    brighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("front", "back"), TEXT)
def test_text_can_be_read(front: str, back: str, theme: int) -> None:
    assert contrast(PAIRS[front][theme], PAIRS[back][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("front", "back"), SHAPES)
def test_shapes_can_be_seen(front: str, back: str, theme: int) -> None:
    assert contrast(PAIRS[front][theme], PAIRS[back][theme]) >= 3


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_each_file_is_small_and_uses_known_tokens(path: Path) -> None:
    source = path.read_text()
    assert source.count("\n") < 250
    defined = set(re.findall(r"(--[a-z0-9-]+):", "".join(style.read_text() for style in STYLES)))
    assert set(re.findall(r"var\((--[a-z0-9-]+)", source)) <= defined


@pytest.mark.parametrize("path", COLOURLESS, ids=lambda path: path.name)
def test_colours_come_from_tokens(path: Path) -> None:
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b", path.read_text()) == []
