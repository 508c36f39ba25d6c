"""Annotators are reminded once of a batch that is soon due, where the study wants it and they do."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone
from pytest_django.fixtures import Settings

from backend.annotate.batches.models import Batch
from backend.annotate.reminders.models import Reminder
from backend.annotate.reminders.services import send_reminders
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from tests.backend.core.studies.test_access import client_of
from tests.backend.decide.releases.fixtures import answer
from tests.batch_fixtures import CastAtWork
from tests.page_text import page_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch(work: CastAtWork, settings: Settings) -> Batch:
    """Due in two days, in a study that reminds three days before; both annotators have addresses."""
    settings.EMAIL_HOST = "mail.invalid"
    for user in (work.cast.amal, work.cast.bea):
        User.objects.filter(pk=user.pk).update(email=f"{user.username}@example.org")
    Study.objects.filter(pk=work.study.pk).update(remind_days_before=3)
    batch = work.batch(work.cast.amal, work.cast.bea, items=work.items[:1])
    due(batch, 2)
    return batch


def due(batch: Batch, days: int) -> None:
    Batch.objects.filter(pk=batch.pk).update(due_on=timezone.localdate() + timedelta(days=days))


def reminded() -> list[str]:
    """By the next two looks of beat."""
    mail.outbox.clear()
    send_reminders(now=timezone.now())
    send_reminders(now=timezone.now())
    return sorted(sent.to[0].partition("@")[0] for sent in mail.outbox)


def test_each_is_reminded_once_and_again_of_another_day(batch: Batch) -> None:
    assert reminded() == ["amal", "bea"]
    assert "1 of your 1 items" in mail.outbox[0].body and "/account" in mail.outbox[0].body
    assert reminded() == []
    due(batch, 3)
    assert reminded() == ["amal", "bea"]


def test_who_is_done_or_gone_or_wants_none_is_left_alone(batch: Batch, work: CastAtWork) -> None:
    answer(work, batch, work.cast.amal, work.items[0])
    client_of(work.cast.bea).post("/account/e-mail", {"email": "bea@example.org"})
    assert reminded() == []
    client_of(work.cast.bea).post("/account/e-mail", {"email": "Bea2@example.org", "wants_reminders": "on"})
    assert reminded() == ["bea2"]


@pytest.mark.parametrize("days", [-1, 4])
def test_not_too_early_and_not_when_it_is_late(batch: Batch, days: int) -> None:
    due(batch, days)
    assert reminded() == []


def test_off_by_default_and_in_archives_and_without_a_server(
    batch: Batch, work: CastAtWork, settings: Settings
) -> None:
    Study.objects.filter(pk=work.study.pk).update(archived_at=timezone.now())
    assert reminded() == []
    Study.objects.filter(pk=work.study.pk).update(archived_at=None, remind_days_before=None)
    assert reminded() == []
    Study.objects.filter(pk=work.study.pk).update(remind_days_before=3)
    settings.EMAIL_HOST = ""
    assert reminded() == []


def test_an_e_mail_that_could_not_be_sent_goes_again(batch: Batch, settings: Settings) -> None:
    backend = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    assert reminded() == [] and not Reminder.objects.exists()
    settings.EMAIL_BACKEND = backend
    assert reminded() == ["amal", "bea"]


def test_the_page_of_ones_work_says_it_too(batch: Batch, work: CastAtWork) -> None:
    page = page_text(client_of(work.cast.amal).get("/studies/kind-words/work"))
    assert "“Batch 1” is due" in page
    due(batch, 9)
    assert "“Batch 1” is due" not in page_text(client_of(work.cast.amal).get("/studies/kind-words/work"))


def test_a_researcher_sets_it_for_the_study(work: CastAtWork) -> None:
    form = {"name": "Kind words", "description": "", "remind_days_before": "5"}
    client_of(work.cast.rosa).post("/studies/kind-words/edit", form)
    work.study.refresh_from_db()
    assert work.study.remind_days_before == 5
