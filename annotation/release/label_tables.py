"""Labels and split as CSV: a row for each label or item, safe to open in a spreadsheet."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

from annotation.release.rows import FinalLabel, ReleaseRow
from codebook.schema import Codebook
from corpus.delimited import safe_cell

Cell = str | int | float | None
LABEL_COLUMNS = (
    "item_id",
    "split",
    "code",
    "value",
    "answer",
    "source",
    "confidence",
    "weight",
    "edition",
    "is_superseded",
    "n_annotators",
    "spans",
    "span_source",
    "span_confidence",
)
SPLIT_COLUMNS = ("item_id", "platform", "community", "post_id", "reply_id", "split", "inclusion_probability")


def labels_csv(rows: Sequence[ReleaseRow], codebook: Codebook) -> Iterator[str]:
    questions = {code.id: question for question, code in codebook.coded_questions()}
    yield _line(LABEL_COLUMNS)
    for row in rows:
        for label in row.labels:
            answer = "" if label.value is None else questions[label.code].label_of(label.value)
            yield _line(_label_cells(row, label, answer))


def split_csv(rows: Sequence[ReleaseRow]) -> Iterator[str]:
    yield _line(SPLIT_COLUMNS)
    for row in rows:
        item = row.item
        place = (item.item_id, item.platform, item.community, item.post_id, item.reply_id)
        yield _line((*place, row.split.value, item.inclusion_probability))


def _label_cells(row: ReleaseRow, label: FinalLabel, answer: str) -> tuple[Cell, ...]:
    evidence = label.evidence
    return (
        row.item.item_id,
        row.split.value,
        label.code,
        label.value,
        answer,
        label.source.value,
        label.confidence,
        label.weight,
        label.edition,
        "true" if label.is_superseded else "false",
        label.n_annotators,
        " ".join(f"{place.part}:{place.start}-{place.end}" for place in evidence.snippets),
        evidence.source.value if evidence.source else None,
        " ".join(f"{place.confidence:.3f}" for place in evidence.snippets),
    )


def _line(cells: Iterable[Cell]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerow([safe_cell(cell) for cell in cells])
    return text.getvalue()
