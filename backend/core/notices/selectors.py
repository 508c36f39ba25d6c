"""Which notices a study has, and which of them a person has not read yet."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from backend.core.accounts.models import User
from backend.core.notices.models import Notice, NoticeReading
from backend.core.studies.models import Study


def notices_for(user: User, study: Study) -> QuerySet[Notice]:
    """All, newest first, each with whether this person has read it as `is_read`."""
    return Notice.objects.filter(study=study).annotate(is_read=_reading_of(user))


def unread_notices(user: User, study: Study) -> QuerySet[Notice]:
    return notices_for(user, study).filter(~_reading_of(user))


def read_notices(user: User, study: Study) -> QuerySet[Notice]:
    return notices_for(user, study).filter(_reading_of(user))


def _reading_of(user: User) -> Exists:
    return Exists(NoticeReading.objects.filter(notice=OuterRef("pk"), reader=user))
