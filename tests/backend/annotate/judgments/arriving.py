"""Annotations as they come in, for tests."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta

from annotation.answers import Answers
from annotation.label_studio.encoding import encode_answers
from backend.annotate.batches.models import AssignedItem, Assignment
from backend.annotate.judgments.derivation import Changes, derive_items
from backend.annotate.judgments.models import Change
from backend.annotate.judgments.version_store import Arrival, keep_arrivals
from backend.core.accounts.models import User
from backend.design.samples.selectors import item_text
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW


@dataclass(frozen=True)
class Workspace:
    """One annotator's share, to which annotations arrive."""

    work: CastAtWork
    share: Assignment

    def place(self, position: int = 0) -> AssignedItem:
        return self.share.assigned_items.select_related("item").get(position=position)

    def arrival(
        self,
        annotation_id: int,
        answers: Answers | None,
        *,
        position: int = 0,
        minutes: int = 0,
        change: Change = Change.SUBMITTED,
        made_by: User | None = None,
        item_key: str | None = None,
        results: object = None,
        marker: str = "attune:7",
    ) -> Arrival:
        item = self.place(position).item
        rows = encode_answers(self.work.codebook, item_text(item), answers) if answers else results
        moment = NOW + timedelta(minutes=minutes)
        body = (
            ""
            if change == Change.DELETED
            else json.dumps({"id": annotation_id, "result": rows, "at": minutes})
        )
        return Arrival(
            project_marker=marker,
            project_id=7,
            task_id=100 + position,
            annotation_id=annotation_id,
            account_id=3,
            made_by_id=(made_by or self.share.annotator).pk,
            item_key=item.item_id if item_key is None else item_key,
            change=change,
            body=body,
            lead_seconds=30.0 + minutes,
            from_prediction=False,
            created_there_at=NOW + timedelta(seconds=annotation_id),
            changed_there_at=moment,
        )

    def derive(self) -> Changes:
        return derive_items(assignment=self.share, item_keys=None, now=NOW)

    def receive(self, *arrivals: Arrival, now: datetime = NOW) -> Changes:
        versions = keep_arrivals(assignment=self.share, arrivals=arrivals, now=now)
        return derive_items(
            assignment=self.share, item_keys={version.item_key for version in versions}, now=now
        )
