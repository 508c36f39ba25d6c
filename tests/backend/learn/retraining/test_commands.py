"""The commands of retraining, as in a terminal."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from backend.core.jobs.runner import run_job
from backend.learn.retraining.models import RetrainingRun, RetrainingSchedule
from tests.batch_fixtures import CastAtWork


def told(command: str, *arguments: str) -> str:
    out = StringIO()
    call_command(command, *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_the_schedule_is_printed_and_set(work: CastAtWork) -> None:
    assert told("retraining_schedule", "kind-words").startswith("Off\n")
    said = told("retraining_schedule", "kind-words", "--weekly", "monday", "--hour", "4")
    assert said.startswith("Every Monday at 04:00 (UTC)\nNext: Monday ")
    assert told("retraining_schedule", "kind-words", "--judgments", "40").startswith("Whenever 40 new")
    assert RetrainingSchedule.objects.get().enough == 40
    said = told("retraining_schedule", "kind-words", "--judgments", "40", "--from-service")
    assert "come in, beginning from the model in service\n" in said
    assert told("retraining_schedule", "kind-words", "--off").startswith("Off\n")
    with pytest.raises(CommandError, match="from 0 to 23"):
        told("retraining_schedule", "kind-words", "--nightly", "--hour", "25")


def test_a_run_is_started_and_left_to_the_workers(work: CastAtWork) -> None:
    assert told("retrain", "kind-words").startswith("Retraining 1 is started as job ")
    with pytest.raises(CommandError, match="Retraining 1 is under way"):
        told("retrain", "kind-words")
    with pytest.raises(CommandError, match="no study 'nowhere'"):
        told("retrain", "nowhere")
    run_job(job_id=RetrainingRun.objects.get().job_id, clock=timezone.now)
    assert RetrainingRun.objects.get().state == "nothing_new"
    with pytest.raises(CommandError, match="Retraining 2 is not over after 1 s"):
        told("retrain", "kind-words", "--wait", "1")
