"""Plays the rounds of the demo that are over: its annotators sign in to Label Studio and submit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import msgspec
import yaml

from annotation.answers import Answers, Flag, ItemText
from annotation.label_studio.encoding import encode_answers
from backend.annotate.batches.models import Assignment
from backend.annotate.label_studio.annotator_session import AnnotatorSession
from backend.annotate.label_studio.server import LabelStudioServer
from backend.annotate.practice.entries import CodeEntry, GoldEntry, read_entry
from backend.annotate.sync.models import Project
from backend.annotate.sync.seats import entrance_for
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.selectors import item_text
from codebook.schema import Codebook

SHORTEST_SECONDS, LONGEST_SECONDS = 25, 140


def play_share(share: Assignment, server: LabelStudioServer, rng: Random) -> Iterator[int]:
    """Yields once for each item of the share that has an answer; what is submitted already stays as it is."""
    entrance = entrance_for(share, None, server)
    number = Project.objects.get(assignment=share).label_studio_id or 0
    codebook = codebook_of(share.batch.edition)
    texts = {
        place.item.item_id: item_text(place.item) for place in share.assigned_items.select_related("item")
    }
    with AnnotatorSession(entrance) as session:
        for task in server.task_index(number):
            seconds = rng.uniform(SHORTEST_SECONDS, LONGEST_SECONDS)
            if not task.annotations + task.skipped:
                text = texts[task.item]
                answers = demo_answers(codebook, text, share.annotator.username)
                session.submit(number, task.id, encode_answers(codebook, text, answers), seconds=seconds)
            yield task.id


# What the demo's annotators say in the rounds they play: something to measure, to settle and to learn from.
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
