"""Opens a discussion to all annotators of the study, and closes it again."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from backend.annotate.discussions.errors import StillBlind
from backend.annotate.discussions.locking import locked_for_researcher, record, save
from backend.annotate.discussions.models import Discussion
from backend.annotate.discussions.selectors import still_blind
from backend.core.accounts.models import User


@transaction.atomic
def share_with_team(*, discussion: Discussion, actor: User, now: datetime) -> Discussion:
    """Lets every annotator of the study read and reply, once nobody's blindness can suffer."""
    locked = locked_for_researcher(discussion, actor)
    if locked.shared_at is None:
        if waiting := still_blind(locked):
            raise StillBlind([str(person) for person in waiting])
        locked.shared_at = now
        save(locked, now)
        record(locked, actor, "Shared with all annotators: the discussion of item", now)
    return locked


@transaction.atomic
def unshare(*, discussion: Discussion, actor: User, now: datetime) -> Discussion:
    locked = locked_for_researcher(discussion, actor)
    if locked.shared_at is not None:
        locked.shared_at = None
        save(locked, now)
        record(locked, actor, "No longer shares the discussion of item", now)
    return locked
