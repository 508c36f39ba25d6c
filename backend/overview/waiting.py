"""What waits for a person in all of their studies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.urls import reverse
from django.utils import timezone

from backend.annotate.batches.work import work_of
from backend.annotate.discussions.selectors import waiting_for
from backend.core.accounts.models import User
from backend.core.notices.selectors import unread_notices
from backend.core.studies.access import role_in
from backend.core.studies.models import Study, StudyRole
from backend.decide.adjudication.queue import count_queue

# Of somebody with more studies than this, the list would take long and not be read
STUDIES = 12


@dataclass(frozen=True, slots=True)
class Waiting:
    """`words` say what to do, `note` how urgent it is."""

    study: Study
    words: str
    url: str
    note: str = ""
    is_late: bool = False


def waiting_for_person(user: User) -> list[Waiting]:
    """Own memberships alone: an admin sees every study, and is not waited for in all of them."""
    in_use = user.memberships.filter(study__archived_at=None, study__deletion_asked_at=None)
    memberships = in_use.select_related("study").order_by("study__name")[:STUDIES]
    today = timezone.localdate()
    found = [each for membership in memberships for each in _in_study(user, membership.study, today)]
    return sorted(found, key=lambda each: not each.is_late)


def _in_study(user: User, study: Study, today: date) -> Iterator[Waiting]:
    role, here = role_in(user, study), [study.slug]
    for work in work_of(user, study, today=today):
        if work.can_work and work.counts.left:
            due = f"due {work.batch.due_on:%-d %B}" if work.batch.due_on else ""
            words = f"{_counted(work.counts.left, 'item')} to judge in {work.batch.name}"
            yield Waiting(study, words, reverse("batches:work", args=here), due, work.is_overdue)
    if asked := waiting_for(user, study, role).count():
        yield Waiting(
            study, f"{_counted(asked, 'discussion')} to answer", reverse("discussions:list", args=here)
        )
    if role != StudyRole.RESEARCHER:
        return
    if settle := count_queue(user, study).waiting:
        yield Waiting(
            study, f"{_counted(settle, 'item')} to adjudicate", reverse("adjudication:queue", args=here)
        )
    if unread := unread_notices(user, study).count():
        yield Waiting(study, f"{_counted(unread, 'notice')} to read", reverse("notices:list", args=here))


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"
