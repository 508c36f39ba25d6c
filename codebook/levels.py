"""Reads the ordered answers of a question and checks that they make one ladder."""

from itertools import pairwise

from codebook.node_reader import NodeReader, Place
from codebook.schema import AnswerKind, Level

MIN_LEVELS = 2
MAX_LEVELS = 10


def read_levels(
    reader: NodeReader, question: Place, place: Place | None, answer: AnswerKind
) -> tuple[Level, ...]:
    if not answer.has_levels:
        if place is not None:
            right = "remove them, or answer by levels or scale"
            reader.report(place, f"a question answered by {answer} has no levels", right)
        return ()
    if place is None:
        right = "add `levels:` with a value, a label and a definition each"
        reader.report(question, f"a question answered by {answer} needs levels", right)
        return ()
    entries = reader.sequence(place)
    levels = tuple(_level(reader, entry, answer) for entry in entries)
    if entries and not MIN_LEVELS <= len(levels) <= MAX_LEVELS:
        right = f"give {MIN_LEVELS} to {MAX_LEVELS}"
        reader.report(place, f"the question has {len(levels)} levels", right)
    _check_ladder(reader, entries, levels)
    return levels


def _level(reader: NodeReader, place: Place, answer: AnswerKind) -> Level:
    fields = reader.mapping(place, ("value", "label", "definition"), ("absent",))
    absent = reader.truth(fields.get("absent"))
    if absent and answer is AnswerKind.SCALE:
        reader.report(place, "`absent` on a rating scale", "remove it; every point of a scale is an answer")
    return Level(
        value=reader.integer(fields.get("value")) or 0,
        label=reader.line_text(fields.get("label")),
        definition=reader.paragraphs_text(fields.get("definition")),
        absent=absent,
    )


def _check_ladder(reader: NodeReader, entries: list[Place], levels: tuple[Level, ...]) -> None:
    labels: set[str] = set()
    for at, (entry, level) in enumerate(zip(entries, levels, strict=True)):
        if level.absent and at > 0:
            reader.report(entry, f"level {level.value} is `absent`", "only the lowest level can be absent")
        if level.label and level.label in labels:
            reader.report(entry, f"the label {level.label!r} appears twice", "give each level its own label")
        labels.add(level.label)
    for at, (lower, higher) in enumerate(pairwise(levels), start=1):
        if higher.value != lower.value + 1:
            wrong = f"level {higher.value} follows level {lower.value}"
            reader.report(entries[at], wrong, f"count up by one: {lower.value + 1} comes next")
