"""What tells researchers something, once, and keeps who has read it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from backend.core.accounts.models import User
from backend.core.notices.models import Notice, NoticeKind, NoticeReading
from backend.core.notices.selectors import unread_notices
from backend.core.studies.models import Study

LONGEST = 600


def tell_researchers(
    *, study: Study, key: str, kind: NoticeKind, text: str, url: str, now: datetime
) -> Notice:
    """The same happening again changes nothing: whoever read the notice need not read it twice."""
    shown = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    notice, _ = Notice.objects.get_or_create(
        study=study, key=key, defaults={"kind": kind, "text": shown, "url": url, "created_at": now}
    )
    return notice


@transaction.atomic
def mark_read(*, notices: Iterable[Notice], reader: User, now: datetime) -> None:
    NoticeReading.objects.bulk_create(
        [NoticeReading(notice=notice, reader=reader, read_at=now) for notice in notices],
        ignore_conflicts=True,
    )


def mark_all_read(*, study: Study, reader: User, now: datetime) -> None:
    mark_read(notices=unread_notices(reader, study), reader=reader, now=now)
