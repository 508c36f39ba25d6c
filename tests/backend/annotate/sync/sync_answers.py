"""What an annotator meant, told simply from Label Studio's rows, and what Attune made of it, in the same form."""

from __future__ import annotations

from typing import Any

from backend.annotate.batches.models import Assignment
from backend.annotate.judgments.models import Submission
from tests.label_studio_rows import FakeAnnotation

# The state, the ticked codes, and the highlights by code, start and end
Answer = tuple[str, frozenset[str], frozenset[tuple[str, int, int]]]
SKIPPED: Answer = ("skipped", frozenset(), frozenset())


def is_broken(annotation: FakeAnnotation) -> bool:
    return any(row["from_name"] == "nonsense" for row in annotation.result)


def meant(annotation: FakeAnnotation) -> Answer:
    codes: set[str] = set()
    spans = set()
    for row in annotation.result:
        value: Any = row["value"]
        if row["type"] == "choices" and row["from_name"] != "flag":
            codes.update(value["choices"])
        elif row["type"] == "labels":
            spans.add((value["labels"][0], value["start"], value["end"]))
    return ("submitted", frozenset(codes), frozenset(spans))


def stored(share: Assignment) -> dict[str, Answer]:
    found = Submission.objects.filter(assigned_item__assignment=share).select_related("assigned_item__item")
    return {
        one.assigned_item.item.item_id: (
            one.state,
            frozenset(one.judgments.filter(value=1).values_list("code", flat=True)),
            frozenset(one.spans.values_list("code", "start", "end")),
        )
        for one in found
    }
