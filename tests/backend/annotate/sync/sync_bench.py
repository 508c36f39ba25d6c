"""A bench for the sync's tests: one batch, two annotators, and a Label Studio in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from annotation.label_studio.encoding import encode_answers
from backend.annotate.batches.models import Assignment, Batch
from backend.annotate.judgments.models import Submission
from backend.annotate.sync.models import Account, Project
from backend.annotate.sync.polling import poll_all
from backend.annotate.sync.pull import Pulled
from backend.annotate.sync.push import bring_in_line
from backend.annotate.sync.selectors import projects_with_work
from backend.core.accounts.models import User
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW
from tests.label_studio_fake import FakeLabelStudio

# Attune's clock and Label Studio's need not agree
SKEW = timedelta(hours=3)


@dataclass
class Bench:
    work: CastAtWork
    batch: Batch
    server: FakeLabelStudio = field(default_factory=lambda: FakeLabelStudio(now=NOW))

    def clock(self) -> datetime:
        return self.server.now + SKEW

    def later(self, **time: float) -> None:
        self.server.now += timedelta(**time)

    def push(self) -> None:
        bring_in_line(self.batch, self.server, now=self.clock(), report=lambda done, total: None)

    def poll(self) -> Pulled:
        return poll_all(self.server, clock=self.clock)

    def share(self, annotator: User) -> Assignment:
        return self.batch.assignments.get(annotator=annotator)

    def project(self, annotator: User) -> Project:
        return projects_with_work().get(assignment=self.share(annotator))

    def number(self, annotator: User) -> int:
        number = self.project(annotator).label_studio_id
        assert number is not None
        return number

    def account(self, annotator: User) -> int:
        return Account.objects.get(user=annotator).label_studio_id

    def open_projects(self, annotator: User) -> list[int]:
        """Where the annotator can get in."""
        account = self.account(annotator)
        return [
            number
            for number, seat in self.server.seats.items()
            if seat.account_id == account and seat.is_open
        ]

    def tasks(self, annotator: User) -> dict[str, list[int]]:
        """Task numbers by item, as Label Studio has them."""
        found: dict[str, list[int]] = {}
        for task in self.server.task_index(self.number(annotator)):
            found.setdefault(task.item, []).append(task.id)
        return found

    def results(self, item: Item, *codes: str, flag: str | None = None) -> list[dict[str, object]]:
        return encode_answers(self.work.codebook, item_text(item), self.work.answers(item, *codes, flag=flag))

    def submit(self, annotator: User, item: Item, *codes: str, flag: str | None = None) -> int:
        task = self.tasks(annotator)[item.item_id][0]
        return self.server.submit(task, self.account(annotator), self.results(item, *codes, flag=flag))

    def judged(self, annotator: User) -> dict[str, set[str]]:
        """The ticked codes of each item that the annotator submitted, as Attune has them."""
        submissions = Submission.objects.filter(
            assigned_item__assignment=self.share(annotator), state="submitted"
        )
        return {
            submission.assigned_item.item.item_id: set(
                submission.judgments.filter(value=1).values_list("code", flat=True)
            )
            for submission in submissions.select_related("assigned_item__item")
        }
