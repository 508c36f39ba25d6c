"""One split for all tasks of a study, so that no model is measured on what it learned in an earlier task.

Texts that belong together stay together over all tasks: those of one group, and those whose text or context has the
same words in two tables, if it has eight words or more; shorter ones, such as thanks, are common language. What any
release or test file holds for testing is trained on by no task of the study.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from annotation.release.rows import SplitPart
from annotation.release.split import Post, read_ratio, split_posts
from learning.transfer.study import Limits, TaskKind, TransferStudy
from learning.transfer.tasks import Labelled, ReadTask, TaskUnusable

LEAST_WORDS = 8
# The part of a group whose members stand in several: whoever keeps it for testing is heard.
_PRECEDENCE = (SplitPart.TEST, SplitPart.VALIDATION, SplitPart.TRAIN)


class TaskItem(msgspec.Struct, frozen=True):
    """`label` is a number: of a class, its place among the classes of the task."""

    item: str
    group: str
    text: str
    context: str
    label: float


class Task(msgspec.Struct, frozen=True):
    """A task as every cell of the study sees it. `classes` is empty where numbers are predicted.

    `n_left_out` are items that stay out because the same texts are elsewhere in another part.
    """

    name: str
    kind: TaskKind
    classes: tuple[str, ...]
    train: tuple[TaskItem, ...]
    validation: tuple[TaskItem, ...]
    test: tuple[TaskItem, ...]
    n_left_out: int = 0

    def part(self, part: SplitPart) -> tuple[TaskItem, ...]:
        return {
            SplitPart.TRAIN: self.train,
            SplitPart.VALIDATION: self.validation,
            SplitPart.TEST: self.test,
        }[part]

    @property
    def all_items(self) -> tuple[TaskItem, ...]:
        return (*self.train, *self.validation, *self.test)


def split_tasks(read: Sequence[ReadTask], study: TransferStudy) -> tuple[Task, ...]:
    """In the order of the study; the same for a seed on every machine."""
    parts = _parts_of_groups(read, study)
    return tuple(_task(each, parts, study.limits, study.first_seed) for each in read)


@dataclass(slots=True)
class _Groups:
    """Union-find over names of groups."""

    above: dict[str, str]

    def top(self, name: str) -> str:
        self.above.setdefault(name, name)
        while self.above[name] != name:
            self.above[name] = self.above[self.above[name]]
            name = self.above[name]
        return name

    def join(self, first: str, second: str) -> None:
        one, other = sorted((self.top(first), self.top(second)))
        self.above[other] = one


def _parts_of_groups(read: Sequence[ReadTask], study: TransferStudy) -> dict[str, tuple[str, SplitPart]]:
    """By the group of an item: the one it was joined into, and its part."""
    groups = _Groups({})
    for task in read:
        for row in task.rows:
            for text in (row.text, row.context):
                if key := _words_key(text):
                    groups.join(row.group, key)
    themes: dict[str, set[str]] = {}
    settled: dict[str, SplitPart] = {}
    measured: set[str] = set()
    for task in read:
        has_own_test = _has_own_test(task)
        for row in task.rows:
            top = groups.top(row.group)
            themes.setdefault(top, set()).add(_theme(task, row))
            if has_own_test:
                measured.add(top)
            if row.part is not None:
                settled[top] = min(row.part, settled.get(top, row.part), key=_PRECEDENCE.index)
    parts = _deal(themes, settled, measured, study)
    return {row.group: (top := groups.top(row.group), parts[top]) for task in read for row in task.rows}


def _deal(
    themes: Mapping[str, Iterable[str]],
    settled: Mapping[str, SplitPart],
    measured: set[str],
    study: TransferStudy,
) -> dict[str, SplitPart]:
    """Tasks that bring their own test part need no more of it."""
    train, validation, test = read_ratio(study.ratio)
    found: dict[str, SplitPart] = {}
    for ratio, is_measured in (((train, validation, test), False), ((train, validation, 0), True)):
        posts: dict[Post, Iterable[str]] = {
            (top,): own
            for top, own in themes.items()
            if (top in measured) is is_measured and top not in settled
        }
        dealt = split_posts(posts, ratio, study.first_seed) if posts else {}
        found |= {post[0]: part for post, part in dealt.items()}
    return {**found, **settled}


def _has_own_test(task: ReadTask) -> bool:
    return any(row.part is SplitPart.TEST for row in task.rows)


def _theme(task: ReadTask, row: Labelled) -> str:
    return task.name if task.kind is TaskKind.REGRESSION else f"{task.name}={row.label}"


def _words_key(text: str) -> str:
    """
    >>> _words_key("Thank you all!"), _words_key("One two three four five six seven EIGHT")[:5]
    ('', 'text|')
    """
    words = text.casefold().split()
    if len(words) < LEAST_WORDS:
        return ""
    return f"text|{hashlib.sha256(' '.join(words).encode()).hexdigest()[:24]}"


def _task(task: ReadTask, parts: Mapping[str, tuple[str, SplitPart]], limits: Limits, seed: int) -> Task:
    rows: dict[SplitPart, list[tuple[Labelled, str]]] = {part: [] for part in SplitPart}
    n_left_out = 0
    has_own_test = _has_own_test(task)
    for row in task.rows:
        top, part = parts[row.group]
        is_free = row.part is None and not (has_own_test and part is SplitPart.TEST)
        if is_free or row.part is part:
            rows[part].append((row, top))
        else:
            n_left_out += 1
    classes = () if task.kind is TaskKind.REGRESSION else _classes(task)
    kept = {
        part: _draw(rows[part], getattr(limits, part.value), f"{seed}|{task.name}|{part.value}")
        for part in SplitPart
    }
    items = {part: tuple(_item(row, top, classes) for row, top in chosen) for part, chosen in kept.items()}
    _check(task.name, task.kind, items)
    train, validation, test = (items[part] for part in SplitPart)
    return Task(task.name, task.kind, classes, train, validation, test, n_left_out)


def _classes(task: ReadTask) -> tuple[str, ...]:
    labels = {row.label for row in task.rows}
    return tuple(
        sorted(labels, key=lambda label: (not label.isdigit(), int(label) if label.isdigit() else 0, label))
    )


def _item(row: Labelled, group: str, classes: Sequence[str]) -> TaskItem:
    label = float(classes.index(row.label)) if classes else row.number
    return TaskItem(row.item, group, row.text, row.context, label)


def _draw(rows: Sequence[tuple[Labelled, str]], most: int, seed: str) -> list[tuple[Labelled, str]]:
    """At random where there are more than wanted, in the order of the source either way."""
    if not most or len(rows) <= most:
        return list(rows)
    places = sorted(random.Random(seed).sample(range(len(rows)), most))
    return [rows[at] for at in places]


def _check(name: str, kind: TaskKind, items: Mapping[SplitPart, Sequence[TaskItem]]) -> None:
    for part, found in items.items():
        if not found:
            raise TaskUnusable(
                name,
                f"nothing is left in its {part.value} part, once texts that other parts or tasks hold are kept apart. "
                "Give it more groups, another `ratio` or a `test_file` of texts that are nowhere else.",
            )
    for part in (SplitPart.TRAIN, SplitPart.TEST):
        if len({item.label for item in items[part]}) < 2:
            what = "class" if kind is TaskKind.CLASSIFICATION else "number"
            raise TaskUnusable(
                name,
                f"all items of its {part.value} part have the same {what}, so that there is nothing to "
                f"{'learn' if part is SplitPart.TRAIN else 'measure'}. Raise `limits`, or leave the task out.",
            )
