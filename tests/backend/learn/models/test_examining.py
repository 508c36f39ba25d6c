"""The examination from the request to the verdict: kept once, and the only door into service."""

from __future__ import annotations

import threading
import time

import pytest
from django.db import transaction

from backend.core.jobs.models import Job
from backend.decide.releases.models import Release
from backend.learn.models.errors import ReportOutdated, RuleNotMet
from backend.learn.models.examining import verdict_of
from backend.learn.models.models import Adapter, AdapterState, PromotionReport
from backend.learn.models.queue import enqueue_gate
from backend.learn.models.selectors import adapter_in_service
from backend.learn.models.services import change_promotion_rule, promote, retire
from backend.learn.models.today import telling_report
from learning.promotion.rule import PromotionRule
from learning.tasks.progress import ProgressWriter
from ml_backend.worker.kinds import work_on
from tests.backend.learn.models.fixtures import examine, folder_of, run, train
from tests.cast import NOW, Cast

pytestmark = pytest.mark.django_db


def test_the_first_adapter_has_to_beat_the_majority(release: Release) -> None:
    report = examine(train(release, "tfidf-logistic"))
    assert report.passed and report.incumbent is None
    given = verdict_of(report)
    assert given.passed and all(check.passed for check in given.checks)
    assert len(given.themes) == 3 and ((given.gain and given.gain.low) or 0) > 0
    assert report.study.events.filter(summary__contains="meets the promotion rule").exists()


def test_what_is_no_better_does_not_enter_and_cannot_be_promoted(release: Release) -> None:
    """Answers at random can beat the commonest answer on few items, by the mean over answers; the same cannot."""
    adapter = train(release, "majority")
    report = examine(adapter)
    assert not report.passed
    with pytest.raises(RuleNotMet), transaction.atomic():
        promote(adapter=adapter, report=report, actor=None, now=NOW)
    assert Adapter.objects.get().state == AdapterState.CANDIDATE


def test_the_second_is_compared_with_the_first(release: Release) -> None:
    first = train(release, "tfidf-logistic")
    promote(adapter=first, report=examine(first), actor=None, now=NOW)
    second = train(release, "tfidf-logistic", seed=2, options={"strength": 1.5})
    report = examine(second)
    assert report.incumbent == first
    assert not report.passed, "the same answers are no better"


def test_looking_again_finds_the_same_report(release: Release) -> None:
    adapter = train(release, "tfidf-logistic")
    first = examine(adapter)
    assert examine(adapter) == first
    assert PromotionReport.objects.count() == 1


def test_looking_again_after_going_back_counts(release: Release) -> None:
    """What was found is the same as the first time, but something else was found in between."""
    candidate = train(release, "tfidf-logistic")
    other = train(release, "tfidf-logistic", seed=2, options={"strength": 1.5})
    first = examine(candidate)
    promote(adapter=other, report=None, override_reason="Tests", actor=None, now=NOW)
    against = examine(candidate)
    assert first.passed and not against.passed and telling_report(candidate) == against
    retire(adapter=other, actor=None, now=NOW)
    assert telling_report(candidate) == first, "it is against what is in service again"
    again = examine(candidate)
    assert again.content == first.content and again not in (first, against)
    assert telling_report(candidate) == again
    promote(adapter=candidate, report=telling_report(candidate), actor=None, now=NOW)
    assert adapter_in_service(release.study) == candidate


def test_a_report_by_another_rule_lets_nothing_in(release: Release, cast: Cast) -> None:
    candidate = train(release, "tfidf-logistic")
    before = examine(candidate)
    strict = PromotionRule(least_gain=0.9)
    change_promotion_rule(study=release.study, rule=strict, actor=cast.rosa, now=NOW)
    with pytest.raises(ReportOutdated), transaction.atomic():
        promote(adapter=candidate, report=before, actor=None, now=NOW)
    assert not examine(candidate).passed
    change_promotion_rule(study=release.study, rule=PromotionRule(), actor=cast.rosa, now=NOW)
    assert telling_report(candidate) == before


def test_asking_twice_is_one_job(release: Release) -> None:
    adapter = train(release)
    first = enqueue_gate(adapter=adapter, actor=None, now=NOW)
    assert enqueue_gate(adapter=adapter, actor=None, now=NOW) == first


def test_a_kill_after_the_report_leaves_one_report(release: Release) -> None:
    adapter = train(release, "tfidf-logistic")
    examine(adapter)
    job = Job.objects.filter(kind="examine_adapter").get()
    Job.objects.filter(pk=job.pk).update(state="queued", finished_at=None, result=None, attempts=0)
    assert folder_of(job).result.exists()
    assert run(job).state == "done"
    assert PromotionReport.objects.count() == 1


def test_what_was_found_against_one_opponent_is_not_filed_against_another(release: Release) -> None:
    first = train(release, "tfidf-logistic")
    candidate = train(release, "tfidf-logistic", seed=2, options={"strength": 1.5})
    job = enqueue_gate(adapter=candidate, actor=None, now=NOW)
    assert run(job).state == "queued"
    folder = folder_of(job)
    against_nobody = work_on(folder, folder.read_request(), ProgressWriter(folder.progress))
    promote(adapter=first, report=None, override_reason="Tests", actor=None, now=NOW)
    assert run(job).state == "queued"
    folder.write_result(against_nobody)
    assert "answered something else" in run(job).error
    assert not PromotionReport.objects.exists()


def test_a_newer_request_stops_the_process_of_the_older_one(release: Release) -> None:
    """It holds the lock until it sees that it must stop, as a process of the ML backend does."""
    first, candidate = train(release, "tfidf-logistic"), train(release, "majority")
    job = enqueue_gate(adapter=candidate, actor=None, now=NOW)
    assert run(job).state == "queued"
    folder = folder_of(job)
    promote(adapter=first, report=None, override_reason="Tests", actor=None, now=NOW)
    told = []

    def work() -> None:
        with folder.hold():
            deadline = time.monotonic() + 5
            while not folder.cancel.exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            told.append(folder.read_request())

    older = folder.read_request()
    process = threading.Thread(target=work)
    process.start()
    while not folder.is_worked_on():
        time.sleep(0.01)
    assert run(job).state == "queued"
    process.join()
    assert told == [older] and folder.read_request() != older
    assert not folder.cancel.exists()
