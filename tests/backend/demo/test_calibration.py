"""The demo's invented answers fit the round that is dealt, are sound, and leave something to settle."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.decoding import decode_results
from annotation.encoding import encode_answers
from backend.codebooks.selectors import codebook_of
from backend.demo.calibration import calibration_answers, calibration_items
from backend.demo.queue import PLAY_ROUND, enqueue_learning
from backend.demo.study import CALIBRATION_ITEMS, load_demo_study
from backend.jobs.models import Job
from backend.jobs.runner import run_job
from backend.samples.selectors import item_text
from backend.studies.models import Study

ANNOTATORS = ("amal", "bea", "chen")


@pytest.fixture
def study(db: None, tmp_path: Path, settings: Settings) -> Study:
    settings.CORPORA_DIR = tmp_path
    return load_demo_study(password="a-demo-password", clock=timezone.now, say=lambda line: None)


def test_everybody_gets_exactly_the_items_that_were_answered(study: Study) -> None:
    batch = study.batches.get(name="Calibration")
    for share in batch.assignments.all():
        dealt = set(share.assigned_items.values_list("item__item_id", flat=True))
        assert dealt == set(calibration_items())
    assert len(calibration_items()) == CALIBRATION_ITEMS


def test_every_answer_is_sound_and_the_three_differ_somewhere(study: Study) -> None:
    codebook = codebook_of(study.editions.get())
    differing, flags = set(), 0
    for key in calibration_items():
        text = item_text(study.items.get(item_id=key))
        given = [calibration_answers(codebook, text, annotator) for annotator in ANNOTATORS]
        for answers in given:
            decoding = decode_results(codebook, text, encode_answers(codebook, text, answers))
            assert (decoding.answers, decoding.problems) == (answers, ())
            flags += answers.flag is not None
        differing |= {
            one.code_id
            for judgments in zip(*(answers.judgments for answers in given), strict=True)
            for one in judgments
            if len({judgment.value for judgment in judgments}) > 1
        }
    assert len(differing) >= 6
    assert flags == 4


def test_the_round_is_queued_once(study: Study) -> None:
    load_demo_study(password="a-demo-password", clock=timezone.now, say=lambda line: None)
    assert Job.objects.filter(kind=PLAY_ROUND, study=study).count() == 1


def test_a_first_model_learns_once_every_answer_has_been_read(study: Study) -> None:
    batch = study.batches.get(name="Calibration")
    with transaction.atomic():
        job = enqueue_learning(batch=batch, now=timezone.now())
    run_job(job_id=job.pk, clock=timezone.now)
    job.refresh_from_db()
    assert (job.state, study.retraining_runs.count()) == ("queued", 0)
    batch.assignments.all().delete()
    run_job(job_id=job.pk, clock=timezone.now)
    job.refresh_from_db()
    assert (job.state, study.retraining_runs.count()) == ("done", 1)
    again = enqueue_learning(batch=batch, now=timezone.now())
    run_job(job_id=again.pk, clock=timezone.now)
    assert study.retraining_runs.count() == 1


def test_the_demo_retrains_when_a_handful_of_items_is_settled(study: Study) -> None:
    schedule = study.retraining_schedule
    assert (schedule.kind, schedule.enough, schedule.learner) == ("judgments", 5, "tfidf-logistic")
