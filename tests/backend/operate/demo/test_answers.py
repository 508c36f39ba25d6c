"""The demo's invented answers fit the rounds that are dealt, are sound, and leave something to settle."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.answers import Answers, ItemText
from annotation.label_studio.decoding import decode_results
from annotation.label_studio.encoding import encode_answers
from backend.annotate.batches.models import Assignment
from backend.core.jobs.models import Job
from backend.core.jobs.runner import run_job
from backend.core.studies.models import Study
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.selectors import item_text
from backend.operate.demo.playing import CALIBRATION_FILE, MAIN_FILE, answered_items, demo_answers
from backend.operate.demo.queue import PLAY_ROUNDS, enqueue_learning
from backend.operate.demo.study import CALIBRATION_ITEMS, MAIN_ITEMS_EACH, load_demo_study
from codebook.schema import Codebook

ANNOTATORS = ("amal", "bea", "chen")


@pytest.fixture
def study(db: None, tmp_path: Path, settings: Settings) -> Study:
    settings.CORPORA_DIR = tmp_path
    return load_demo_study(password="a-demo-password", clock=timezone.now, say=lambda line: None)


def dealt(share: Assignment) -> list[str]:
    return list(share.assigned_items.values_list("item__item_id", flat=True))


def test_everybody_gets_exactly_the_items_of_the_calibration(study: Study) -> None:
    answered = answered_items(CALIBRATION_FILE)
    assert len(answered) == CALIBRATION_ITEMS
    for share in study.batches.get(name="Calibration").assignments.all():
        assert set(dealt(share)) == set(answered)


def test_the_items_of_the_main_round_are_dealt_to_one_person_each(study: Study) -> None:
    answered = answered_items(MAIN_FILE)
    shares = [dealt(share) for share in study.batches.get(name="Main 1").assignments.all()]
    assert {len(share) for share in shares} == {MAIN_ITEMS_EACH}
    assert sorted(chain.from_iterable(shares)) == sorted(answered)


def assert_sound(codebook: Codebook, text: ItemText, answers: Answers) -> None:
    decoding = decode_results(codebook, text, encode_answers(codebook, text, answers))
    assert (decoding.answers, decoding.problems) == (answers, ())


def test_every_answer_of_the_main_round_is_sound(study: Study) -> None:
    codebook = codebook_of(study.editions.get())
    for key in answered_items(MAIN_FILE):
        text = item_text(study.items.get(item_id=key))
        assert_sound(codebook, text, demo_answers(codebook, text, ANNOTATORS[0]))


def test_every_answer_of_the_calibration_is_sound_and_the_three_differ_somewhere(study: Study) -> None:
    codebook = codebook_of(study.editions.get())
    differing, flags = set(), 0
    for key in answered_items(CALIBRATION_FILE):
        text = item_text(study.items.get(item_id=key))
        given = [demo_answers(codebook, text, annotator) for annotator in ANNOTATORS]
        for answers in given:
            assert_sound(codebook, text, answers)
            flags += answers.flag is not None
        differing |= {
            one.code_id
            for judgments in zip(*(answers.judgments for answers in given), strict=True)
            for one in judgments
            if len({judgment.value for judgment in judgments}) > 1
        }
    assert len(differing) >= 6
    assert flags == 4


def test_the_rounds_are_queued_once(study: Study) -> None:
    load_demo_study(password="a-demo-password", clock=timezone.now, say=lambda line: None)
    assert Job.objects.filter(kind=PLAY_ROUNDS, study=study).count() == 1


def test_a_first_model_learns_once_every_answer_has_been_read(study: Study) -> None:
    batches = list(study.batches.filter(name__in=["Calibration", "Main 1"]))
    with transaction.atomic():
        job = enqueue_learning(study=study, batches=batches, now=timezone.now())
    run_job(job_id=job.pk, clock=timezone.now)
    job.refresh_from_db()
    assert (job.state, study.retraining_runs.count()) == ("queued", 0)
    batches[0].assignments.all().delete()
    run_job(job_id=job.pk, clock=timezone.now)
    job.refresh_from_db()
    assert (job.state, study.retraining_runs.count()) == ("queued", 0)
    batches[1].assignments.all().delete()
    run_job(job_id=job.pk, clock=timezone.now)
    job.refresh_from_db()
    assert (job.state, study.retraining_runs.count()) == ("done", 1)
    schedule = study.retraining_schedule
    assert (schedule.kind, schedule.enough, schedule.learner) == ("judgments", 5, "tfidf-logistic")
    assert study.retraining_runs.get().training["learner"] == "tfidf-logistic"
    again = enqueue_learning(study=study, batches=batches, now=timezone.now())
    run_job(job_id=again.pk, clock=timezone.now)
    assert study.retraining_runs.count() == 1
