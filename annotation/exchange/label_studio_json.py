"""Label Studio's own JSON: tasks with one annotation each, and the labelling config that they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from annotation.answers import Span, canonical_answers
from annotation.exchange.documents import item_text, values_of
from annotation.label_studio.config.config import label_config
from annotation.label_studio.encoding import encode_answers
from annotation.label_studio.task_data import task_data
from annotation.release.rows import ReleaseRow
from codebook.schema import Codebook


def label_studio_files(codebook: Codebook, rows: Iterable[ReleaseRow]) -> Iterator[tuple[str, bytes]]:
    tasks = [_task(codebook, row) for row in rows]
    yield "tasks.json", msgspec.json.format(msgspec.json.encode(tasks), indent=1)
    yield "labelling_config.xml", label_config(codebook).encode()


def _task(codebook: Codebook, row: ReleaseRow) -> dict[str, object]:
    item = item_text(row)
    spans = {
        Span(label.code, each.part, each.start, each.end)
        for label in row.labels
        for each in label.evidence.snippets
    }
    answers = canonical_answers(codebook, item, values_of(row), spans, None)
    result = encode_answers(codebook, item, answers)
    return {"data": task_data(item), "meta": {"split": row.split.value}, "annotations": [{"result": result}]}
