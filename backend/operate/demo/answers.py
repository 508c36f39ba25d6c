"""What the demo's annotators say in the rounds they play: something to measure, to settle and to learn from."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import yaml

from annotation.answers import Answers, Flag, ItemText
from backend.annotate.practice.entries import CodeEntry, GoldEntry, read_entry
from codebook.schema import Codebook

CALIBRATION_FILE = Path(__file__).with_name("calibration.yaml")
MAIN_FILE = Path(__file__).with_name("main.yaml")

Quotes = dict[str, list[str]]


class UnsoundDemo(Exception):
    """A file with the demo's answers does not fit its texts; the message lists what is wrong."""


class DemoItem(msgspec.Struct, forbid_unknown_fields=True):
    codes: Quotes
    differently: dict[str, Quotes] = {}
    unsure: dict[str, str] = {}


@cache
def answered_items(file: Path) -> dict[str, DemoItem]:
    """By item id."""
    return msgspec.convert(yaml.safe_load(file.read_text(encoding="utf-8")), dict[str, DemoItem])


def demo_answers(codebook: Codebook, text: ItemText, annotator: str) -> Answers:
    asked = (answered_items(CALIBRATION_FILE) | answered_items(MAIN_FILE))[text.item_id]
    found = {**asked.codes, **asked.differently.get(annotator, {})}
    entry = GoldEntry({code: CodeEntry(quotes=tuple(quotes)) for code, quotes in found.items()})
    reading = read_entry(codebook, text, entry)
    if reading.problems:
        raise UnsoundDemo("\n".join(problem.message for problem in reading.problems))
    comment = asked.unsure.get(annotator)
    return Answers(
        reading.answers.judgments, reading.answers.spans, None if comment is None else Flag(comment)
    )
