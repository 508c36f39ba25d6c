"""How a discussion is changed: its row is locked first, then saved, and the study's history gets a line."""

from __future__ import annotations

from datetime import datetime

from backend.annotate.discussions.errors import ResearchersOnly
from backend.annotate.discussions.models import Discussion
from backend.annotate.discussions.selectors import study_of_discussion
from backend.core.accounts.models import User
from backend.core.studies.access import role_in
from backend.core.studies.models import StudyRole
from backend.core.studies.services import record_event
from backend.core.web.formats import short_hash


def locked_discussion(discussion: Discussion) -> Discussion:
    rows = Discussion.objects.select_for_update(of=("self",)).select_related(
        "assigned_item__item",
        "assigned_item__assignment__batch__study",
        "assigned_item__assignment__annotator",
    )
    return rows.get(pk=discussion.pk)


def locked_for_researcher(discussion: Discussion, actor: User) -> Discussion:
    locked = locked_discussion(discussion)
    if role_in(actor, study_of_discussion(locked)) != StudyRole.RESEARCHER:
        raise ResearchersOnly
    return locked


def save(discussion: Discussion, now: datetime) -> None:
    discussion.changed_at = now
    discussion.save()


def record(discussion: Discussion, actor: User, what: str, now: datetime) -> None:
    study, item = study_of_discussion(discussion), discussion.assigned_item.item
    record_event(study=study, actor=actor, summary=f"{what} {short_hash(item.item_id)}", now=now)
