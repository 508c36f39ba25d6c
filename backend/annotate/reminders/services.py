"""Which shares are soon due, and the e-mails that say so."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import timezone

from backend.annotate.batches.models import Assignment, BatchState
from backend.annotate.batches.progress import AnnotatorProgress, share_progress
from backend.annotate.reminders.models import Reminder
from backend.core.accounts.models import User
from backend.core.studies.models import Study

logger = logging.getLogger(__name__)


def send_reminders(*, now: datetime) -> int:
    """May run at any time and any number of times: a share is reminded of once for each due date. How many were."""
    if not settings.EMAIL_HOST:
        return 0
    today = timezone.localdate(now)
    shares = (
        _open_shares()
        .filter(annotator__wants_reminders=True, annotator__is_active=True)
        .exclude(annotator__email="")
        .exclude(reminders__due_on=F("batch__due_on"))
    )
    return sum(_remind(share, now) for share in _soon_due(shares, today))


def work_page_context(user: User, study: Study, now: datetime) -> dict[str, object]:
    """Shown where the study reminds, with a mail server or without."""
    shares = _open_shares().filter(annotator=user, batch__study=study)
    return {"soon_due": list(_soon_due(shares, timezone.localdate(now)))}


def _open_shares() -> QuerySet[Assignment]:
    return Assignment.objects.filter(
        withdrawn_at=None,
        batch__state=BatchState.OPEN,
        batch__due_on__isnull=False,
        batch__study__remind_days_before__isnull=False,
        batch__study__archived_at=None,
        batch__study__deletion_asked_at=None,
    ).select_related("batch__study", "annotator")


def _soon_due(shares: QuerySet[Assignment], today: date) -> Iterable[AnnotatorProgress]:
    """With something left to do, and neither late nor far away."""
    near = [share for share in shares if _is_near(share, today)]
    return (row for row in share_progress(near) if row.counts.left > 0)


def _is_near(share: Assignment, today: date) -> bool:
    due_on, days = share.batch.due_on, share.batch.study.remind_days_before
    return due_on is not None and days is not None and today <= due_on <= today + timedelta(days=days)


def _remind(row: AnnotatorProgress, now: datetime) -> bool:
    """The row comes first, so that nobody is told twice; where the e-mail cannot be sent it goes again."""
    share, due_on = row.assignment, row.assignment.batch.due_on
    if due_on is None:
        return False
    try:
        with transaction.atomic():
            reminder = Reminder.objects.create(assignment=share, due_on=due_on, sent_at=now)
    except IntegrityError:
        return False
    try:
        send_mail(_subject(share), _text(row), settings.DEFAULT_FROM_EMAIL, [share.annotator.email])
    except (SMTPException, OSError) as problem:
        logger.warning("A reminder could not be sent: %s", type(problem).__name__)
        reminder.delete()
        return False
    return True


def _subject(share: Assignment) -> str:
    return f"{share.batch.study.name}: “{share.batch.name}” is due on {share.batch.due_on:%d %B}"


def _text(row: AnnotatorProgress) -> str:
    share = row.assignment
    work = settings.PUBLIC_URL + reverse("batches:work", args=[share.batch.study.slug])
    account = settings.PUBLIC_URL + reverse("accounts:account")
    return (
        f"Hello {share.annotator},\n\n{row.counts.left} of your {row.counts.assigned} items in “{share.batch.name}” are"
        f" left. The batch is due on {share.batch.due_on:%d %B %Y}.\n\n{work}\n\n"
        f"You get one e-mail for each batch. To get none, untick reminders under “Your account”:\n{account}\n"
    )
