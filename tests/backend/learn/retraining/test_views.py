"""Pages of retraining: the schedule, the history, a run, and who may see them."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from backend.core.accounts.models import User
from backend.learn.retraining.claiming import start_by_hand
from backend.learn.retraining.ending import end_run
from backend.learn.retraining.models import RetrainingRun, RetrainingSchedule, RunState
from tests.batch_fixtures import CastAtWork
from tests.cast import Cast
from tests.page_text import page_text

PAGE = "/studies/kind-words/retraining"
FORM = {"kind": "weekly", "hour": "4", "weekday": "0", "enough": "50", "learner": "tfidf-logistic"}


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def rosa(work: CastAtWork) -> Client:
    return client_of(work.cast.rosa)


def started(work: CastAtWork) -> RetrainingRun:
    return start_by_hand(study=work.study, actor=work.cast.rosa, now=timezone.now())


def test_an_empty_page_says_what_a_run_is_and_that_nothing_is_set(rosa: Client) -> None:
    page = rosa.get(PAGE).content.decode()
    assert "No run yet" in page
    assert "Nothing is set yet." in page
    assert "Retrain now" in page


def test_a_study_without_a_codebook_cannot_start(cast: Cast) -> None:
    rosa = client_of(cast.rosa)
    assert "Retrain now" not in rosa.get(PAGE).content.decode()
    rosa.post(f"{PAGE}/start")
    assert "write one and collect judgments first" in rosa.get(PAGE).content.decode()


def test_the_schedule_is_saved_shown_and_put_into_history(rosa: Client, work: CastAtWork) -> None:
    assert rosa.post(f"{PAGE}/schedule", FORM).status_code == 302
    schedule = RetrainingSchedule.objects.get()
    assert (schedule.kind, schedule.hour, schedule.weekday, schedule.is_on) == ("weekly", 4, 0, True)
    assert schedule.learner == "tfidf-logistic"
    page = rosa.get(PAGE).content.decode()
    assert "Every Monday at 04:00 (UTC)" in page
    assert work.study.events.filter(summary="Retraining: every Monday at 04:00 (UTC)").count() == 1
    rosa.post(f"{PAGE}/schedule", FORM | {"kind": "off"})
    assert RetrainingSchedule.objects.get().is_on is False
    rosa.post(f"{PAGE}/schedule", FORM | {"kind": "nightly", "learner": "encoder-lora", "continues": "on"})
    assert RetrainingSchedule.objects.get().continues is True
    assert "beginning from the model in service" in page_text(rosa.get(PAGE))
    rosa.post(f"{PAGE}/schedule", FORM | {"kind": "judgments"})
    assert "50 more" in page_text(rosa.get(PAGE))


def test_a_bad_schedule_is_explained_and_not_saved(rosa: Client) -> None:
    answer = rosa.post(f"{PAGE}/schedule", FORM | {"enough": "0"})
    assert answer.status_code == 200
    assert "greater than or equal to 1" in answer.content.decode()
    assert not RetrainingSchedule.objects.exists()


def test_a_run_is_started_watched_and_stopped(rosa: Client) -> None:
    answer = rosa.post(f"{PAGE}/start")
    assert answer.headers["Location"] == f"{PAGE}/1"
    page = rosa.get(f"{PAGE}/1").content.decode()
    assert 'hx-trigger="every 2s"' in page
    assert "Waiting for a worker." in page
    assert "Retraining 1 is under way" in " ".join(
        rosa.post(f"{PAGE}/start", follow=True).content.decode().split()
    )
    rosa.post(f"{PAGE}/1/stop")
    page = rosa.get(f"{PAGE}/1").content.decode()
    assert "hx-trigger" not in page
    assert "Go on from there" in page
    rosa.post(f"{PAGE}/1/again")
    run = RetrainingRun.objects.get()
    assert run.job.state == "queued"


def test_the_history_says_what_came_of_each(rosa: Client, work: CastAtWork) -> None:
    run = started(work)
    end_run(run=run, state=RunState.KEPT_OUT, words="the new model is not better.", now=timezone.now())
    page = rosa.get(PAGE).content.decode()
    assert "The new model is not better." in page
    assert "<td>Rosa</td>" in page
    assert "The new model is not better." in rosa.get(f"{PAGE}/1").content.decode()


def test_only_researchers_of_the_study_come_in(work: CastAtWork) -> None:
    started(work)
    for user, status in ((work.cast.amal, 403), (work.cast.otto, 404)):
        client = client_of(user)
        for address in (PAGE, f"{PAGE}/1", f"{PAGE}/1/progress"):
            assert client.get(address).status_code == status
        for address in ("start", "schedule", "1/stop", "1/again"):
            assert client.post(f"{PAGE}/{address}", FORM).status_code == status
    assert client_of(work.cast.rosa).get(f"{PAGE}/2").status_code == 404
