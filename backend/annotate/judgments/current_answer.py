"""Works out, from all versions of an item's annotations, what stands now: an answer, a skip, or a problem."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from annotation.answers import Answers, Flag, ItemText
from annotation.label_studio.decoding import Decoding, decode_results
from annotation.problems import Problem, ProblemKind
from backend.annotate.judgments.models import AnnotationVersion, Change, SubmissionState
from codebook.schema import Codebook

History = list[AnnotationVersion]


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
class CurrentAnswer:
    """The flag is kept even where the answer is in doubt: that annotator waits for help."""

    answer: SoundAnswer | None
    doubts: tuple[Doubt, ...]
    flag: Flag | None


def current_answer_of(
    codebook: Codebook, item: ItemText | None, annotator_id: int, versions: Iterable[AnnotationVersion]
) -> CurrentAnswer:
    """`item` is None when the versions are of no item that was assigned here."""
    doubts = []
    own: list[History] = []
    for history in _live(versions):
        version = history[-1]
        if item is None:
            doubts.append(Doubt(version, (_unknown_item(version),)))
        elif version.made_by_id != annotator_id:
            doubts.append(Doubt(version, (_wrong_annotator(),)))
        else:
            own.append(history)
    if item is None or not own:
        return CurrentAnswer(None, tuple(doubts), None)
    own, lapsed = _without_lapsed(codebook, item, own)
    doubts.extend(Doubt(history[-1], (_lapsed_problem(),)) for history in lapsed)
    # A skip says nothing, so it yields to an answer; of several answers the first one stands.
    own.sort(key=lambda history: (history[-1].change == Change.SKIPPED, *_birth(history[-1])))
    first, *others = own
    doubts.extend(
        Doubt(history[-1], (_second_annotation(),))
        for history in others
        if history[-1].change != Change.SKIPPED
    )
    decoding = decoded_version(codebook, item, first[-1])
    if first[-1].change == Change.SUBMITTED and decoding.problems:
        doubts.append(Doubt(first[-1], decoding.problems))
        return CurrentAnswer(None, tuple(doubts), decoding.answers.flag)
    return CurrentAnswer(_sound(first, decoding.answers), tuple(doubts), decoding.answers.flag)


def _live(versions: Iterable[AnnotationVersion]) -> list[History]:
    """The states of each annotation since it was last deleted, if it was, ending with the one that stands."""
    histories: dict[tuple[str, int], History] = defaultdict(list)
    for version in sorted(versions, key=lambda version: (not version.came_late, version.pk)):
        key = (version.project_marker, version.annotation_id)
        if version.change == Change.DELETED:
            histories.pop(key, None)
        else:
            histories[key].append(version)
    return sorted(histories.values(), key=lambda history: _birth(history[-1]))


def _birth(version: AnnotationVersion) -> tuple[object, int, int]:
    return (version.created_there_at, version.project_id, version.annotation_id)


def _without_lapsed(
    codebook: Codebook, item: ItemText, own: list[History]
) -> tuple[list[History], list[History]]:
    """An item whose unsound answer vanished with its project was asked again: the old one can never be mended."""
    newest = max((history[-1] for history in own), key=lambda version: version.pk).project_marker
    lapsed = [
        history
        for history in own
        if history[-1].project_marker != newest
        and history[-1].change == Change.SUBMITTED
        and decoded_version(codebook, item, history[-1]).problems
    ]
    return [history for history in own if history not in lapsed], lapsed


def decoded_version(codebook: Codebook, item: ItemText, version: AnnotationVersion) -> Decoding:
    body = json.loads(version.body)
    return decode_results(codebook, item, body.get("result") if isinstance(body, dict) else None)


def _sound(history: History, answers: Answers) -> SoundAnswer:
    version = history[-1]
    if version.change == Change.SKIPPED:
        return SoundAnswer(version, SubmissionState.SKIPPED, Answers((), (), answers.flag), _edits(history))
    return SoundAnswer(version, SubmissionState.SUBMITTED, answers, _edits(history))


def _edits(history: History) -> int:
    """How often the answer was changed after it was first handed in; a skip before that is no edit."""
    submitted = {version.sha256 for version in history if version.change == Change.SUBMITTED}
    return max(len(submitted) - 1, 0)


def _unknown_item(version: AnnotationVersion) -> Problem:
    named = version.item_key or "no item"
    message = f"The task names {named}, which is not in this share: was it added or edited by hand?"
    return Problem(ProblemKind.UNKNOWN_ITEM, version.item_key, message, fixable=False)


def _wrong_annotator() -> Problem:
    message = "Someone made this annotation whom the item was not given to. It is kept and not counted."
    return Problem(ProblemKind.WRONG_ANNOTATOR, "", message, fixable=False)


def _lapsed_problem() -> Problem:
    message = "This answer was not sound, and its project in Label Studio is gone. The item was answered again since."
    return Problem(ProblemKind.LAPSED, "", message, fixable=False)


def _second_annotation() -> Problem:
    message = (
        "You annotated this item twice. The first annotation counts: delete the other one in Label Studio."
    )
    return Problem(ProblemKind.SECOND_ANNOTATION, "", message, fixable=True)
