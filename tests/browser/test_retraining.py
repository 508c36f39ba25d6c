"""Retraining and notices in a browser: wide and narrow, light and dark, and by keyboard alone."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings

from backend.core.ml_tasks.folders import task_folder
from backend.learn.retraining.claiming import start_by_hand
from backend.learn.retraining.ending import end_run
from backend.learn.retraining.models import RetrainingRun, RunState, RunStep, ScheduleKind, StepKind
from backend.learn.retraining.services import Plan, change_schedule
from learning.tasks.progress import ProgressWriter, SaidLine, TrainingPoint
from tests.batch_fixtures import CastAtWork
from tests.browser.conftest import Visit
from tests.browser.fitting import assert_fits

BETTER = "the new model is better by 3.1 points [0.8, 5.2] and is in service now."
WORSE = "the new model is not better: 0.2 points [-1.1, 1.6]; the one in service stays."
DISK = "it failed, and the model in service stays. The disk is full: make room. Try again from there."


@pytest.fixture
def history(work: CastAtWork, transactional_db: None, tmp_path: Path, settings: Settings) -> CastAtWork:
    """Four runs with four endings, and a fifth that trains."""
    settings.ML_DIR = tmp_path / "ml"
    now = timezone.now() - timedelta(days=5)
    plan = Plan(ScheduleKind.NIGHTLY)
    change_schedule(study=work.study, plan=plan, actor=work.cast.rosa, now=now)
    endings = (
        (RunState.PROMOTED, BETTER),
        (RunState.KEPT_OUT, WORSE),
        (RunState.NOTHING_NEW, "nothing is new since release 2, so the model in service stays."),
        (RunState.FAILED, DISK),
    )
    for day, (state, words) in enumerate(endings):
        began = now + timedelta(days=day)
        run = started(work, began)
        end_run(run=run, state=state, words=words, now=began + timedelta(minutes=7))
    tell_of_training(started(work, timezone.now() - timedelta(minutes=3), finished=False))
    return work


def tell_of_training(run: RetrainingRun) -> None:
    """As the ML backend does: words, losses, and a score at the end of each epoch."""
    folder = task_folder(run.study, run.job_id, StepKind.TRAIN)
    folder.path.mkdir(parents=True)
    now = timezone.now().isoformat()
    ProgressWriter(folder.progress).write(
        SaidLine(now, "187 items to learn from, 62 to set thresholds by, 13 codes")
    )
    for step in range(10, 130, 10):
        loss = 0.2 + 0.5 * 0.97**step
        score = 0.4 + step / 400 if step % 40 == 0 else None
        ProgressWriter(folder.progress).write(TrainingPoint(1, step, 240, loss))
        if score is not None:
            ProgressWriter(folder.progress).write(TrainingPoint(1, step, 240, loss, score))


def started(work: CastAtWork, began: object, *, finished: bool = True) -> RetrainingRun:
    run = start_by_hand(study=work.study, actor=work.cast.rosa, now=timezone.now())
    RetrainingRun.objects.filter(pk=run.pk).update(started_at=began)
    run.refresh_from_db()
    for minutes, kind in enumerate([StepKind.FREEZE, StepKind.TRAIN]):
        begun = run.started_at + timedelta(minutes=minutes)
        is_done = finished or kind == StepKind.FREEZE
        RunStep.objects.create(
            run=run,
            kind=kind,
            begun_at=begun,
            done_at=begun + timedelta(seconds=40) if is_done else None,
            words="Release 2: 312 items." if kind == StepKind.FREEZE else "",
        )
    return run


def test_pages_of_retraining_fit(history: CastAtWork, logged_in: Visit) -> None:
    page = logged_in(history.cast.rosa)
    home = page.url
    for address in ("", "/retraining", "/retraining/1", "/retraining/4", "/retraining/5", "/notices"):
        response = page.goto(f"{home}studies/kind-words{address}")
        assert response is not None
        assert response.status == 200, address
        assert_fits(page, address)


def test_a_schedule_is_set_and_a_notice_is_read_by_keyboard(
    history: CastAtWork, page: Page, logged_in: Visit
) -> None:
    page = logged_in(history.cast.rosa)
    page.goto(f"{page.url}studies/kind-words")
    expect(page.get_by_role("link", name="Notices (4 not read)")).to_be_visible()
    page.get_by_role("button", name="See what came of it").first.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Retraining 4")).to_be_visible()
    expect(page.get_by_role("link", name="Notices (3 not read)")).to_be_visible()
    page.get_by_role("link", name="Retraining", exact=True).first.press("Enter")
    page.get_by_role("radio", name="When enough is new").press("Space")
    page.get_by_role("spinbutton", name="New final judgments").fill("40")
    page.get_by_role("button", name="Save the schedule").press("Enter")
    expect(page.get_by_text("Whenever 40 new final judgments have come in").first).to_be_visible()
    page.get_by_role("link", name="Retraining 5").press("Enter")
    page.get_by_role("button", name="Stop").press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Stop").press("Enter")
    expect(page.get_by_role("button", name="Go on from there")).to_be_visible()
