"""The demo's invented answers fit the round that is dealt, are sound, and leave something to settle."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.decoding import decode_results
from annotation.encoding import encode_answers
from backend.codebooks.selectors import codebook_of
from backend.demo.calibration import calibration_answers, calibration_items
from backend.demo.queue import PLAY_ROUND
from backend.demo.study import CALIBRATION_ITEMS, load_demo_study
from backend.jobs.models import Job
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
