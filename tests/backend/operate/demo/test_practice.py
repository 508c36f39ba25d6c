"""The demo's gold fits its sample and its codebook, and is loaded once."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from backend.annotate.batches.candidates import golden_items
from backend.annotate.practice.models import GoldAnswer
from backend.annotate.practice.selectors import read_gold
from backend.core.studies.models import Study
from backend.operate.demo.study import SAMPLE_NAME, load_demo_study, load_practice_gold
from tests.cast import NOW, Cast


@pytest.fixture
def study(db: None, tmp_path: Path, settings: Settings) -> Study:
    settings.CORPORA_DIR = tmp_path
    return load_demo_study(password="a-demo-password", clock=timezone.now, say=lambda line: None)


def test_ten_items_of_the_sample_have_gold(study: Study) -> None:
    load_practice_gold(study, study.created_by, NOW)
    edition = study.editions.get()
    items = golden_items(study, edition)
    assert items.count() == 10
    assert items.filter(draws__sample__name=SAMPLE_NAME).count() == 10
    assert items.filter(reply_id=None).count() == 1


def test_loading_it_again_changes_nothing(study: Study) -> None:
    load_practice_gold(study, study.created_by, NOW)
    rows = list(GoldAnswer.objects.order_by("pk").values())
    GoldAnswer.objects.filter(pk=rows[0]["id"]).delete()
    events = study.events.count()
    assert load_practice_gold(study, study.created_by, NOW) == 0
    assert list(GoldAnswer.objects.order_by("pk").values()) == rows[1:]
    assert study.events.count() == events


def test_every_code_is_there_at_least_once_and_missing_at_least_once(study: Study) -> None:
    load_practice_gold(study, study.created_by, NOW)
    seen: dict[str, set[int]] = {}
    for row in GoldAnswer.objects.all():
        gold = read_gold(row)
        for judgment in gold.answers.judgments:
            seen.setdefault(judgment.code_id, set()).add(judgment.value)
            if judgment.value:
                assert judgment.code_id in gold.reasons.by_code, (row.item, judgment.code_id)
    assert len(seen) == 13
    assert set(map(frozenset, seen.values())) == {frozenset({0, 1})}


def test_a_study_with_another_codebook_is_left_alone(cast: Cast) -> None:
    assert load_practice_gold(cast.study, cast.rosa, NOW) == 0
