"""Gathers a study's labels of this moment for the savings meter."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

from annotation.release.rows import FinalLabel, ReleaseRow
from backend.core.studies.models import Study
from backend.decide.releases.assembling import assemble
from backend.decide.releases.requests import FreezeRequest
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from backend.learn.active_learning.errors import NothingToMeasure
from backend.learn.active_learning.staging import Staged, stage, suggested_items
from codebook.editions import canonical_json
from learning.learning_curves.study_labels import (
    KnownAnswer,
    LabelledItem,
    StudyLabels,
    encode_study_labels,
)


@dataclass(frozen=True, slots=True)
class MeterInputs:
    content: bytes
    n_labelled: int

    def hash_with(self, asked: str) -> str:
        return hashlib.sha256(self.content + asked.encode()).hexdigest()


def meter_inputs(study: Study, now: datetime) -> MeterInputs:
    """As a release would have them now: settled by adjudication, else by the majority."""
    content = assemble(study, FreezeRequest(name="Savings meter"), number=1, now=now)
    if not content.rows:
        raise NothingToMeasure
    labelled = frozenset(row.item.item_id for row in content.rows)
    stages = stage(study, labelled - suggested_items(study))
    items = {item.item_id: item for item in study.items.filter(item_id__in=labelled)}
    rows = tuple(
        _labelled_item(row, items[row.item.item_id], stages)
        for row in sorted(content.rows, key=lambda row: row.item.item_id)
        if row.item.item_id in items
    )
    return MeterInputs(encode_study_labels(StudyLabels(canonical_json(content.codebook), rows)), len(rows))


def _labelled_item(row: ReleaseRow, item: Item, stages: Staged) -> LabelledItem:
    key = item.item_id
    return LabelledItem(
        text=item_text(item),
        post="\0".join(row.item.post),
        answers={label.code: answer for label in row.labels if (answer := _answer(label)) is not None},
        is_random=key not in stages.chosen,
        gold_weight=stages.weights.get(key, 0.0),
    )


def _answer(label: FinalLabel) -> KnownAnswer | None:
    if label.value is None or label.weight <= 0:
        return None
    marks = tuple((snippet.start, snippet.end) for snippet in label.evidence.snippets)
    return KnownAnswer(label.value, label.weight, marks)
