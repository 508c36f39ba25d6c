"""The labelled texts of a task, read from a release or a table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation.release.read import ReadRelease, read_release
from annotation.release.rows import SplitPart
from codebook.questions import ModelQuestion, model_questions
from codebook.schema import AnswerKind, Part
from corpus.errors import WrongType
from corpus.rules import ReadLimits
from learning.transfer.study import TaskKind, TaskSource


class TaskUnusable(ValueError):
    """What a task is told to be read from cannot be learned."""

    def __init__(self, task: str, problem: str) -> None:
        super().__init__(f"Task “{task}”: {problem}")


@dataclass(frozen=True, slots=True)
class Labelled:
    """`part` is where a release or a test file has put the item; None where the study has yet to decide.

    `label` is a class or the digits of a number.
    """

    item: str
    group: str
    text: str
    context: str
    label: str
    part: SplitPart | None = None

    @property
    def number(self) -> float:
        return float(self.label)


@dataclass(frozen=True, slots=True)
class ReadTask:
    """`reads` are the parts of items that its models see; of a table there is no saying, and it is None."""

    name: str
    kind: TaskKind
    rows: tuple[Labelled, ...]
    reads: frozenset[Part] | None = None


def read_task(task: TaskSource) -> ReadTask:
    found = _from_release(task) if task.release else _from_tables(task)
    if not found.rows:
        raise TaskUnusable(task.name, "no row has both a text and a label.")
    return found


def _from_tables(task: TaskSource) -> ReadTask:
    kind = task.kind or TaskKind.CLASSIFICATION
    rows = list(_table_rows(task, Path(task.file), kind, None))
    if task.test_file:
        rows += _table_rows(task, Path(task.test_file), kind, SplitPart.TEST)
    return ReadTask(task.name, kind, tuple(rows))


def _table_rows(task: TaskSource, path: Path, kind: TaskKind, part: SplitPart | None) -> Iterator[Labelled]:
    """Rows without a text or a label are left out. Ids and groups of one file say nothing about those of another."""
    from corpus.cells import text_cells  # polars comes with it
    from corpus.tables import read_table

    columns = [name for name in (task.id, task.group, task.text, task.context, task.label) if name]
    for batch in read_table(path, list(dict.fromkeys(columns)), ReadLimits()):
        ids, groups, texts, contexts = (
            text_cells(path, batch, name or None) for name in (task.id, task.group, task.text, task.context)
        )
        labels = batch.columns[task.label]
        cells = zip(ids, groups, texts, contexts, labels, strict=True)
        for row, (item, group, text, context, cell) in enumerate(cells, start=batch.first_row):
            label = _label(path, row, task.label, cell, kind)
            if text is None or not text.strip() or label is None:
                continue
            own = f"{path.name}:{row}" if item is None else f"{path.name}:{item}"
            yield Labelled(own, own if group is None else f"{path}|{group}", text, context or "", label, part)


def _label(path: Path, row: int, column: str, cell: object, kind: TaskKind) -> str | None:
    """
    >>> [_label(Path("a.csv"), 1, "level", cell, TaskKind.CLASSIFICATION) for cell in (" yes ", 2.0, True, "")]
    ['yes', '2', 'yes', None]
    """
    if isinstance(cell, bool):
        text = "yes" if cell else "no"
    elif isinstance(cell, float):
        text = "" if math.isnan(cell) else f"{cell:.12g}"
    else:
        text = "" if cell is None else str(cell).strip()
    if not text:
        return None
    if kind is TaskKind.REGRESSION and not _is_number(text):
        advice = "A regression task needs numbers; say `kind: classification`, or mend the cell."
        raise WrongType(path, f"row {row:,}, column {column!r}", f"{text!r} is no number.", advice)
    return text


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _from_release(task: TaskSource) -> ReadTask:
    release = read_release(Path(task.release))
    question = _question(task, release)
    kind = task.kind or _kind_of(question)
    reads = frozenset({question.part, *question.context})
    return ReadTask(task.name, kind, tuple(_release_rows(task, release, question)), reads)


def _question(task: TaskSource, release: ReadRelease) -> ModelQuestion:
    questions = {question.code_id: question for question in model_questions(release.codebook)}
    if task.code not in questions:
        known = ", ".join(questions)
        raise TaskUnusable(task.name, f"the release has no code {task.code!r}. Its codes: {known}.")
    return questions[task.code]


def _kind_of(question: ModelQuestion) -> TaskKind:
    return TaskKind.REGRESSION if question.answer is AnswerKind.SCALE else TaskKind.CLASSIFICATION


def _release_rows(task: TaskSource, release: ReadRelease, question: ModelQuestion) -> Iterator[Labelled]:
    for row in release.rows:
        label = next((each for each in row.labels if each.code == question.code_id), None)
        if label is None or label.value is None or label.weight <= 0:
            continue
        if row.item.texts is None:
            raise TaskUnusable(task.name, "the release holds no texts. Freeze it again with --texts.")
        shown = {
            Part.POST: "\n\n".join(filter(None, [row.item.texts.title.strip(), row.item.texts.post])),
            Part.REPLY: row.item.texts.reply or "",
        }
        text = shown[question.part]
        if text.strip():
            context = "\n\n".join(shown[part] for part in question.context)
            group = f"{row.item.platform}|{row.item.community}|{row.item.post_id}"
            yield Labelled(row.item.item_id, group, text, context, str(label.value), row.split)


def check_parts(tasks: Sequence[ReadTask]) -> None:
    """A model that reads posts alone has nothing to give to one that reads replies alone."""
    for first in tasks:
        for second in tasks:
            if first.reads is not None and second.reads is not None and not first.reads & second.reads:
                raise NoPartInCommon(first, second)


class NoPartInCommon(TaskUnusable):
    def __init__(self, source: ReadTask, target: ReadTask) -> None:
        of_source, of_target = (" and ".join(sorted(each.reads or ())) for each in (source, target))
        super().__init__(
            source.name,
            f"it reads the {of_source}, and “{target.name}” the {of_target}: the two have no part in common, so that "
            "nothing can pass from one to the other. Leave one of them out.",
        )
