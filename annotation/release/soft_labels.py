"""Soft labels: what share of the annotators gave each answer, and what each of them said, as a release carries them.

Of n annotators who judged an item for a code, n_v of whom gave the answer v,

    share(v) = n_v / n

is one answer of the item's distribution (Uma et al. 2021, “Learning from disagreement: a survey”, JAIR 72, 1385–1470).
"""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO

from annotation.release.card_blocks import Block, Heading, Paragraph, Table
from annotation.release.cases import known_values
from annotation.release.rows import FinalLabel, ReleaseRow, Shares
from codebook.schema import Codebook
from corpus.delimited import safe_cell

ANNOTATOR_LABELS, SOFT_LABELS = "annotator_labels.csv", "soft_labels.csv"
_ANNOTATOR_COLUMNS = ("item_id", "split", "code", "annotator", "value", "answer", "edition")
_SHARE_COLUMNS = ("item_id", "split", "code", "value", "answer", "n", "n_annotators", "share")


class NoSoftLabels(ValueError):
    def __init__(self) -> None:
        super().__init__(
            "Soft labels say how answers are spread over annotators, and no item here has answers of two. Have items "
            "judged by two or more, or freeze without soft labels."
        )


@dataclass(frozen=True, slots=True)
class SoftFact:
    """Of one theme: items that two or more judged, on how many of them they differ, and how much: the mean
    probability that two annotators of an item say the same."""

    theme: str
    n_items: int
    n_differing: int
    same: float
    n_annotators: float


def shares_of(said: Sequence[int], values: Iterable[int]) -> Shares:
    """
    >>> shares_of([1, 0, 1, 1], [0, 1, 2])
    ((0, 0.25), (1, 0.75), (2, 0.0))
    """
    counts = Counter(said)
    return tuple((value, counts[value] / len(said)) for value in sorted(values)) if said else ()


def refuse_single_answers(rows: Iterable[ReleaseRow]) -> None:
    if not any(len(label.votes) > 1 for row in rows for label in row.labels):
        raise NoSoftLabels


def soft_facts(rows: Sequence[ReleaseRow], codebook: Codebook) -> tuple[SoftFact, ...]:
    """Of the themes that two or more annotators judged on any item."""
    by_code: dict[str, list[FinalLabel]] = {}
    for row in rows:
        for label in row.labels:
            if len(label.votes) > 1:
                by_code.setdefault(label.code, []).append(label)
    return tuple(
        _soft_fact(code.name, by_code[code.id])
        for _, code in codebook.coded_questions()
        if code.id in by_code
    )


def _soft_fact(theme: str, labels: Sequence[FinalLabel]) -> SoftFact:
    same = 0.0
    for label in labels:
        n = len(label.votes)
        counts = Counter(vote.value for vote in label.votes)
        same += sum(each * (each - 1) for each in counts.values()) / (n * (n - 1))
    n_differing = sum(max(share for _, share in label.shares) < 1 for label in labels)
    n_annotators = sum(len(label.votes) for label in labels) / len(labels)
    return SoftFact(theme, len(labels), n_differing, same / len(labels), n_annotators)


def card_section(facts: Sequence[SoftFact], n_annotators: int) -> Iterator[Block]:
    yield Heading(2, "Soft labels")
    yield Paragraph(
        f"This release carries what each annotator said ({ANNOTATOR_LABELS}), and for each item and theme the share "
        f"of annotators behind each answer ({SOFT_LABELS}, and the columns shares__CODE of the tables in data). A "
        "pseudonym is the same person throughout this release. Shares are of annotators alone: a decision of a "
        "researcher changes the label, not them."
    )
    if n_annotators == 2:
        yield Paragraph(
            "With two annotators a pseudonym hides nobody from the other: each can tell which answers are not theirs."
        )
    yield Table(
        ("Theme", "Items with two or more", "Annotators each", "They differ on", "Two say the same"),
        tuple(
            (
                fact.theme,
                f"{fact.n_items:,}",
                f"{fact.n_annotators:.1f}",
                f"{fact.n_differing:,}",
                f"{100 * fact.same:.1f}%",
            )
            for fact in facts
        ),
    )


def annotator_labels_csv(rows: Sequence[ReleaseRow], codebook: Codebook) -> Iterator[str]:
    """A line for each answer of each annotator."""
    questions = {code.id: question for question, code in codebook.coded_questions()}
    yield _line(_ANNOTATOR_COLUMNS)
    for row in rows:
        for label in row.labels:
            for vote in label.votes:
                answer = questions[label.code].label_of(vote.value)
                place = (row.item.item_id, row.split.value, label.code)
                yield _line((*place, vote.annotator, vote.value, answer, vote.edition))


def soft_labels_csv(rows: Sequence[ReleaseRow], codebook: Codebook) -> Iterator[str]:
    """A line for each possible answer of each item and code that somebody judged."""
    questions = {code.id: question for question, code in codebook.coded_questions()}
    yield _line(_SHARE_COLUMNS)
    for row in rows:
        for label in row.labels:
            place = (row.item.item_id, row.split.value, label.code)
            counts = Counter(vote.value for vote in label.votes)
            for value, share in label.shares:
                answer = questions[label.code].label_of(value)
                yield _line((*place, value, answer, counts[value], len(label.votes), share))


def share_problems(rows: Iterable[ReleaseRow], codebook: Codebook, *, is_soft: bool) -> Iterator[str]:
    """Shares that are not those of the votes beside them, or that nobody asked for."""
    values = {code.id: known_values(question) for question, code in codebook.coded_questions()}
    for row in rows:
        for label in row.labels:
            said = [vote.value for vote in label.votes]
            expected = shares_of(said, values.get(label.code, ())) if is_soft else ()
            if label.shares != expected:
                yield f"item {row.item.item_id}, {label.code}: its shares are not those of its annotators"


def _line(cells: Iterable[str | int | float]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerow([safe_cell(cell) for cell in cells])
    return text.getvalue()
