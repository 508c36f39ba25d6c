"""The terminal has a batch measured and prints the report."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from backend.annotate.batches.models import Batch, BatchKind
from backend.core.jobs.models import Job
from backend.core.jobs.runner import run_job
from backend.decide.agreement.selectors import rule_of
from backend.decide.agreement.verdicts import headline_of
from tests.backend.decide.agreement.conftest import Measuring
from tests.backend.decide.agreement.fixtures import Team
from tests.batch_fixtures import CastAtWork


def run(*words: str) -> str:
    said = StringIO()
    call_command("measure_agreement", "kind-words", *words, stdout=said)
    return said.getvalue()


def test_it_is_asked_for(overlap: Batch) -> None:
    said = run("Overlap 1", "--wait", "0", "--resamples", "300")
    job = Job.objects.get()
    assert said == f"Job {job.pk} measures “Overlap 1”.\n"
    assert job.arguments["resamples"] == 300


def test_whoever_waits_in_vain_is_told(overlap: Batch) -> None:
    with pytest.raises(CommandError, match="is not done after"):
        run("Overlap 1", "--wait", "0.1")


def test_the_newest_report_is_printed(overlap: Batch, measured: Measuring) -> None:
    with pytest.raises(CommandError, match="was not measured yet"):
        run("Overlap 1", "--latest")
    report = measured(overlap)
    told = headline_of(report, rule_of(overlap.study))
    assert told is not None
    lines = run("Overlap 1", "--latest").splitlines()
    assert lines[0].startswith(told.words)
    assert lines[14:] == ["Krippendorff's alpha: checked against krippendorff 0.9.0: equal to 1e-12."]
    assert json.loads(run("Overlap 1", "--latest", "--format", "json")) == json.loads(report.measures)


def test_a_recheck_is_printed_too(overlap: Batch, measured: Measuring, work: CastAtWork) -> None:
    recheck = work.batch(work.cast.amal, items=work.items[:4], name="Again", kind=BatchKind.RECHECK)
    Team(work).answer_all(recheck, {work.cast.amal: work.answers})
    measured(recheck)
    assert run("Again", "--latest").startswith("Cohen's kappa of first and second answers to 4 items.")


def test_mistakes_are_explained(work: CastAtWork, overlap: Batch) -> None:
    with pytest.raises(CommandError, match="It has: 'Overlap 1'"):
        run("Overlap 9")
    work.batch(work.cast.amal, items=work.items, name="Main 1", kind=BatchKind.MAIN)
    with pytest.raises(CommandError, match="no item has sound answers"):
        run("Main 1")


def test_a_batch_that_was_discarded_meanwhile_is_said(
    overlap: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def discarded(seconds: float) -> None:
        job = Job.objects.get()
        Job.objects.filter(pk=job.pk).update(arguments={**job.arguments, "batch": 999})
        run_job(job_id=job.pk, clock=timezone.now)

    monkeypatch.setattr("backend.core.jobs.terminal.time.sleep", discarded)
    with pytest.raises(CommandError, match="The batch was discarded"):
        run("Overlap 1")
