"""Works out, from all versions of an item's annotations, what stands now: an answer, a skip, or a problem."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from annotation.answers import Answers, Flag, ItemText
from annotation.decoding import Decoding, decode_results
from annotation.problems import Problem, ProblemKind
from backend.judgments.models import AnnotationVersion, Change, SubmissionState
from codebook.schema import Codebook


@dataclass(frozen=True, slots=True)
class SoundAnswer:
    version: AnnotationVersion
    state: SubmissionState
    answers: Answers
    edits: int


@dataclass(frozen=True, slots=True)
class Doubt:
    """A version that stands but cannot be taken as a judgment."""

    version: AnnotationVersion
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """The flag is kept even where the answer is in doubt: that annotator waits for help."""

    answer: SoundAnswer | None
    doubts: tuple[Doubt, ...]
    flag: Flag | None


def standing_of(
    codebook: Codebook, item: ItemText | None, annotator_id: int, versions: Iterable[AnnotationVersion]
) -> Standing:
    """`item` is None when the versions are of no item that was assigned here."""
    live = _live(versions)
    doubts = []
    own = []
    for history in live:
        version = history[-1]
        if item is None:
            doubts.append(Doubt(version, (_unknown_item(version),)))
        elif version.made_by_id != annotator_id:
            doubts.append(Doubt(version, (_wrong_annotator(),)))
        else:
            own.append(history)
    if item is None or not own:
        return Standing(None, tuple(doubts), None)
    # A skip says nothing, so it yields to an answer; of several answers the first one stands.
    own.sort(key=lambda history: (history[-1].change == Change.SKIPPED, *_birth(history[-1])))
    first, *others = own
    doubts.extend(
        Doubt(history[-1], (_second_annotation(),))
        for history in others
        if history[-1].change != Change.SKIPPED
    )
    decoding = _decoded(codebook, item, first[-1])
    if first[-1].change == Change.SUBMITTED and decoding.problems:
        doubts.append(Doubt(first[-1], decoding.problems))
        return Standing(None, tuple(doubts), decoding.answers.flag)
    return Standing(_sound(first, decoding.answers), tuple(doubts), decoding.answers.flag)


def _live(versions: Iterable[AnnotationVersion]) -> list[list[AnnotationVersion]]:
    """The versions of each annotation that was not deleted, oldest first."""
    histories: dict[tuple[int, int], list[AnnotationVersion]] = defaultdict(list)
    for version in versions:
        histories[version.project_id, version.annotation_id].append(version)
    kept = []
    for history in histories.values():
        if all(version.change != Change.DELETED for version in history):
            kept.append(sorted(history, key=lambda version: (version.changed_there_at, version.pk)))
    return sorted(kept, key=lambda history: _birth(history[-1]))


def _birth(version: AnnotationVersion) -> tuple[object, int, int]:
    return (version.created_there_at, version.project_id, version.annotation_id)


def _decoded(codebook: Codebook, item: ItemText, version: AnnotationVersion) -> Decoding:
    body = json.loads(version.body)
    return decode_results(codebook, item, body.get("result") if isinstance(body, dict) else None)


def _sound(history: list[AnnotationVersion], answers: Answers) -> SoundAnswer:
    version = history[-1]
    if version.change == Change.SKIPPED:
        return SoundAnswer(version, SubmissionState.SKIPPED, Answers((), (), answers.flag), _edits(history))
    return SoundAnswer(version, SubmissionState.SUBMITTED, answers, _edits(history))


def _edits(history: list[AnnotationVersion]) -> int:
    """How often the answer was changed after it was first handed in; a skip before that is no edit."""
    submitted = [version for version in history if version.change == Change.SUBMITTED]
    return max(len(submitted) - 1, 0)


def _unknown_item(version: AnnotationVersion) -> Problem:
    named = version.item_key or "no item"
    message = f"The task names {named}, which is not in this share: was it added or edited by hand?"
    return Problem(ProblemKind.UNKNOWN_ITEM, version.item_key, message, fixable=False)


def _wrong_annotator() -> Problem:
    message = "Someone made this annotation whom the item was not given to. It is kept and not counted."
    return Problem(ProblemKind.WRONG_ANNOTATOR, "", message, fixable=False)


def _second_annotation() -> Problem:
    message = (
        "You annotated this item twice. The first annotation counts: delete the other one in Label Studio."
    )
    return Problem(ProblemKind.SECOND_ANNOTATION, "", message, fixable=True)
