"""A training is asked for, followed, and ends as exactly one adapter; whatever goes wrong is said."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from django.http import Http404
from django.test import Client

from backend.core.jobs.models import Job
from backend.core.jobs.services import request_cancel, retry_job
from backend.decide.releases.models import Release
from backend.learn.models.errors import AlwaysAnew, OtherLearner, TextsNeeded
from backend.learn.models.models import Adapter, AdapterState
from learning.adapters.folder import checked_card
from tests.backend.learn.models.fixtures import (
    ask_for_training,
    folder_of,
    release_in,
    run,
    train,
    train_tiny,
    work_as_ml_backend,
)
from tests.cast import NOW, Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def rosa(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.rosa)
    return client


def test_a_training_waits_for_the_ml_backend_and_then_becomes_an_adapter(release: Release) -> None:
    job = ask_for_training(release, "tfidf-logistic", name="First words", seed=3)
    waiting = run(job)
    assert (waiting.state, waiting.attempts) == ("queued", 0)
    assert "aiting for the ML backend" in waiting.progress_note
    work_as_ml_backend(folder_of(job))
    done = run(job)
    adapter = Adapter.objects.get()
    assert done.result and done.result["adapter"] == adapter.number == 1
    assert (adapter.name, adapter.learner, adapter.state) == (
        "First words",
        "tfidf-logistic",
        AdapterState.CANDIDATE,
    )
    assert (adapter.release, adapter.edition, adapter.parent) == (release, release.edition, None)
    card = checked_card(adapter.folder)
    assert adapter.read_card() == card and card.id == adapter.adapter_id and card.seed == 3
    assert sorted(path.name for path in adapter.measured.iterdir()) == ["test.parquet", "validation.parquet"]
    assert not folder_of(job).adapter.exists()
    assert release.study.events.filter(summary__contains="Trained adapter 1").count() == 1


def test_training_goes_on_from_an_adapter_of_the_study(
    release: Release, rosa: Client, tmp_path: Path
) -> None:
    parent = train_tiny(release, tmp_path)
    page = rosa.get(f"/studies/kind-words/models/{parent.number}").content.decode()
    assert "?learner=encoder-lora&amp;parent=1" in page and "Began from" not in page
    form = rosa.get("/studies/kind-words/models/train?learner=encoder-lora&parent=1").content.decode()
    assert '<option value="1" selected>1: Encoder with LoRA' in form
    assert "Begin from" not in rosa.get("/studies/kind-words/models/train?learner=majority").content.decode()
    asked = {"release": "1", "parent": "1", "seeds": "2", "name": "Further"}
    rosa.post("/studies/kind-words/models/train?learner=encoder-lora", asked)
    job = Job.objects.latest("pk")
    assert job.arguments["request"]["parent"] == 1 and job.arguments["request"]["options"] == {}
    run(job)
    work_as_ml_backend(folder_of(job))
    assert run(job).state == "done"
    child = Adapter.objects.get(name="Further")
    card = child.read_card()
    assert child.parent == parent and card.parent == parent.adapter_id
    assert card.config == parent.read_card().config, "what is left alone is as it was"
    assert "Began from" in rosa.get(f"/studies/kind-words/models/{child.number}").content.decode()


def test_a_parent_of_another_learner_is_refused_before_anybody_waits(release: Release) -> None:
    train(release, "tfidf-logistic")
    with pytest.raises(OtherLearner, match="Adapter 1 was trained by the learner tfidf-logistic"):
        ask_for_training(release, "encoder-lora", parent=1)
    with pytest.raises(AlwaysAnew, match="tfidf-logistic always learns anew"):
        ask_for_training(release, "tfidf-logistic", parent=1)
    with pytest.raises(Http404, match="no adapter 9"):
        ask_for_training(release, "encoder-lora", parent=9)


def test_the_same_training_twice_is_one_adapter(release: Release) -> None:
    first = train(release)
    assert train(release) == first
    assert Adapter.objects.count() == 1


def test_a_failure_fails_the_job_with_its_reason_and_can_be_tried_again(release: Release) -> None:
    job = ask_for_training(release)
    run(job)
    folder_of(job).write_failure("ValueError: no.")
    failed = run(job)
    assert failed.state == "failed"
    assert "TaskFailed: The ML backend could not do it: ValueError: no." in failed.error
    retry_job(job_id=job.pk, now=NOW)
    work_as_ml_backend(folder_of(job))
    assert run(job).state == "done"


def test_a_worker_that_was_killed_after_the_rename_leaves_nothing_to_repair(release: Release) -> None:
    """The row went with the transaction, the folder stayed."""
    adapter = train(release)
    job = Job.objects.get()
    Adapter.objects.all().delete()
    Job.objects.update(state="queued", finished_at=None, result=None, attempts=0)
    assert run(job).state == "done"
    again = Adapter.objects.get()
    assert (again.adapter_id, again.folder) == (adapter.adapter_id, adapter.folder)
    assert checked_card(again.folder).id == again.adapter_id


def test_files_that_were_changed_are_never_registered(release: Release) -> None:
    job = ask_for_training(release)
    run(job)
    work_as_ml_backend(folder_of(job))
    (folder_of(job).adapter / "evil.pkl").write_bytes(b"cos\nsystem\n(S'true'\ntR.")
    failed = run(job)
    assert failed.state == "failed"
    assert "PickleRefused" in failed.error
    assert not Adapter.objects.exists()


def test_files_that_are_gone_are_a_clear_failure(release: Release) -> None:
    job = ask_for_training(release)
    run(job)
    work_as_ml_backend(folder_of(job))
    shutil.rmtree(folder_of(job).adapter)
    failed = run(job)
    assert (failed.state, "train it again" in failed.error) == ("failed", True)


def test_a_cancelled_training_leaves_no_wish_behind(release: Release) -> None:
    job = ask_for_training(release)
    run(job)
    request_cancel(job_id=job.pk, now=NOW)
    assert run(job).state == "cancelled"
    retry_job(job_id=job.pk, now=NOW)
    work_as_ml_backend(folder_of(job))
    assert run(job).state == "done"


def test_a_release_without_texts_is_refused_before_anybody_waits(cast: Cast, tmp_path: Path) -> None:
    release = release_in(cast.study, tmp_path / "made", with_texts=False)
    with pytest.raises(TextsNeeded, match="holds no texts"):
        ask_for_training(release)
    assert not Job.objects.exists()
