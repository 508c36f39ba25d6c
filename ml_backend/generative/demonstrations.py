"""Chooses the labelled items that a model is shown before it is asked: by seed, as many of each answer as can be."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from ml_backend.examples import Example
from ml_backend.generative.answer_form import END
from ml_backend.generative.gold import gold_pieces, is_finished
from ml_backend.generative.prompts import Demonstration, Prompting, Shown

# Of the room that the instructions leave, demonstrations get half: the item that is asked about needs the rest.
SHARE_OF_ROOM = 0.5


def chosen_demonstrations(
    prompting: Prompting, train: Sequence[Example], *, most: int, seed: int, evidence: bool
) -> tuple[Demonstration, ...]:
    """Each in an equal share of the room, its context cut first; one that cannot be shown whole is left out."""
    room = int(SHARE_OF_ROOM * prompting.room_left / most)
    found: list[tuple[str, Demonstration]] = []
    for example in _in_turns(prompting, train, seed):
        shown = _fit(prompting, example, room)
        if shown is not None:
            found.append((_draw_key(seed, example), _demonstration(prompting, example, shown, evidence)))
        if len(found) == most:
            break
    # Not by answer, lest the last one be taken for the rule.
    return tuple(each for _, each in sorted(found, key=lambda pair: pair[0]))


def _in_turns(prompting: Prompting, train: Sequence[Example], seed: int) -> Iterator[Example]:
    """One of each answer, then another of each, in an order that the seed draws; those that show words first."""
    question = prompting.question
    by_answer: dict[int, list[Example]] = {each.value: [] for each in question.values}
    for example in train:
        target = example.targets.get(question.code_id)
        if target is not None and example.asks(question):
            by_answer[target.value].append(example)
    wants = {each.value for each in question.values if each.wants_evidence}

    def place(example: Example) -> tuple[bool, str]:
        target = example.targets[question.code_id]
        return target.value in wants and not target.marks, _draw_key(seed, example)

    for examples in by_answer.values():
        examples.sort(key=place)
    for turn in zip_longest(*by_answer.values()):
        yield from (example for example in turn if example is not None)


def _fit(prompting: Prompting, example: Example, room: int) -> Shown | None:
    shown = prompting.whole(example)
    while (over := prompting.length(prompting.prompt_text(example, shown)) - room) > 0:
        if not shown.context:
            return None
        shown = prompting.shorten(example, shown, over)
    return shown


def _demonstration(prompting: Prompting, example: Example, shown: Shown, evidence: bool) -> Demonstration:
    pieces = gold_pieces(prompting, example, shown, evidence=evidence)
    answer = "".join(pieces if is_finished(pieces) else [*pieces, END])
    return Demonstration(prompting.prompt_text(example, shown), answer)


def _draw_key(seed: int, example: Example) -> str:
    return hashlib.blake2b(f"{seed}\n{example.item_id}".encode(), digest_size=8).hexdigest()
