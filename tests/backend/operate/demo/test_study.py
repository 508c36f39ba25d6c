"""The demo goes on where it stopped, is loaded once, and then belongs to its users."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from backend.core.accounts.models import User
from backend.core.studies.models import Membership, Study
from backend.operate.demo.accounts import CAST
from backend.operate.demo.study import load_demo_study

PASSWORD = "a-password-for-the-demo"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings) -> None:
    settings.CORPORA_DIR = tmp_path


def load() -> Study:
    return load_demo_study(password=PASSWORD, clock=timezone.now, say=lambda line: None)


def test_the_demo_has_all_that_is_promised(db: None) -> None:
    study = load()
    assert study.editions.get().name == "empathy-practices"
    assert len(study.corpora.get().store.communities()) == 6
    assert dict(study.samples.values_list("name", "n_items")) == {"First round": 72, "Second round": 36}
    assert study.items.count() == 108
    assert study.memberships.count() == sum(person.study_role is not None for person in CAST)
    assert all(user.check_password(PASSWORD) for user in User.objects.all())


def test_loading_it_again_changes_nothing_that_people_changed(db: None) -> None:
    study = load()
    amal = User.objects.get(username="amal")
    amal.set_password("her-own-password")
    amal.save()
    Membership.objects.filter(user__username="bea").delete()
    events = study.events.count()
    assert load() == study
    amal.refresh_from_db()
    assert amal.check_password("her-own-password")
    assert study.events.count() == events
    assert not study.memberships.filter(user__username="bea").exists()


def test_a_load_that_was_cut_off_is_finished_by_the_next(db: None) -> None:
    study = load()
    study.batches.all().delete()
    study.samples.all().delete()
    Membership.objects.filter(user__username="chen").delete()
    assert load() == study
    assert study.samples.count() == 2
    assert study.batches.count() == 4
    assert study.memberships.filter(user__username="chen").exists()
