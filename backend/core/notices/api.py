"""Calls that read notices and mark them as read."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Router, Schema, Status

from backend.core.accounts.access import user_of
from backend.core.notices.models import Notice, NoticeKind
from backend.core.notices.selectors import notices_for, unread_notices
from backend.core.notices.services import mark_read
from backend.core.studies.access import RESEARCHER, study_of
from backend.core.web.addresses import page

router = Router(auth=RESEARCHER)


class NoticeOut(Schema):
    """`url` is a page of this instance, without its host; `is_read` is about whoever asks."""

    id: int
    kind: NoticeKind
    text: str
    url: str
    created_at: datetime
    is_read: bool


@router.get("", response=list[NoticeOut])
def list_notices(
    request: HttpRequest, unread: bool = False, limit: int = 50, offset: int = 0
) -> list[Notice]:
    """Newest first; with `unread` only those that the caller has not read."""
    chosen = unread_notices if unread else notices_for
    return list(chosen(user_of(request), study_of(request))[page(limit, offset)])


@router.post("{int:notice_id}/read", response={204: None})
def read_notice(request: HttpRequest, notice_id: int) -> Status[None]:
    notice = get_object_or_404(Notice, study=study_of(request), pk=notice_id)
    mark_read(notices=[notice], reader=user_of(request), now=timezone.now())
    return Status(204, None)
