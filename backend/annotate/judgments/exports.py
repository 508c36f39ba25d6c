"""Judgments as JSON Lines: what each annotator said about each item, down to the version it came from."""

from __future__ import annotations

import json
from collections.abc import Iterator

from backend.annotate.judgments.models import Submission
from backend.annotate.judgments.selectors import submissions
from backend.core.accounts.models import User
from backend.core.studies.models import Study

CHUNK = 500


def json_lines(study: Study, *, batch_id: int | None = None, viewer: User | None = None) -> Iterator[str]:
    """One submission a line. Spans are offsets: the words themselves stay in the study."""
    for submission in submissions(study, batch_id=batch_id, viewer=viewer).iterator(chunk_size=CHUNK):
        yield json.dumps(_row(submission), ensure_ascii=False) + "\n"


def _row(submission: Submission) -> dict[str, object]:
    place = submission.assigned_item
    batch = place.assignment.batch
    return {
        "item_id": place.item.item_id,
        "annotator": place.assignment.annotator.username,
        "batch": batch.name,
        "kind": batch.kind,
        "edition": batch.edition.number,
        "state": submission.state,
        "submitted_at": submission.submitted_at.isoformat(),
        "changed_at": submission.changed_at.isoformat(),
        "edits": submission.edits,
        "seconds": submission.lead_seconds,
        "from_suggestion": submission.from_prediction,
        "flagged": submission.is_flagged,
        "version": submission.version_id,
        "judgments": {judgment.code: judgment.value for judgment in submission.judgments.all()},
        "spans": [
            {"code": span.code, "part": span.part, "start": span.start, "end": span.end}
            for span in submission.spans.all()
        ],
    }
