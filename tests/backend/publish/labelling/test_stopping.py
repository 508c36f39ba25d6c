"""However a run is stopped, its texts go, its workers go home, and it can be gone on with by one job alone."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as all_settings
from pytest_django.fixtures import Settings

from backend.core.jobs.leases import claim_job, hand_back_job, requeue_expired
from backend.core.jobs.models import JobState
from backend.core.jobs.services import request_cancel, retry_job
from backend.design.corpora.models import Corpus
from backend.learn.models.models import Adapter
from backend.publish.labelling.errors import AnotherUnderWay, StillStopping
from backend.publish.labelling.models import LabellingRun, LabellingState
from backend.publish.labelling.places import label_folder, staged_texts
from backend.publish.labelling.selectors import current_state, run_numbered
from backend.publish.labelling.services import cancel_run, pause_run, resume_run
from tests.backend.publish.labelling.fixtures import (
    adapter_in,
    assert_whole,
    label_as_ml_backend,
    look,
    started,
)
from tests.cast import NOW, Cast

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def adapter(cast: Cast, tmp_path: Path) -> Adapter:
    return adapter_in(cast.study, tmp_path / "made")


@pytest.fixture
def run(cast: Cast, demo_corpus: Corpus, adapter: Adapter, settings: Settings) -> LabellingRun:
    """Laid ready, and back in the queue, since no process has come."""
    settings.SHARD_TEXTS = 20
    run = look(started(cast.study, demo_corpus, adapter))
    assert staged_texts(run).of(0).exists() and label_folder(run).heartbeat.exists()
    return run


def now_of(run: LabellingRun) -> LabellingRun:
    return run_numbered(run.study, run.number)


def is_cleared(run: LabellingRun) -> bool:
    texts = staged_texts(run)
    return not (label_folder(run).heartbeat.exists() or texts.staged.exists() or texts.folder.exists())


def test_stopping_the_job_on_its_own_page_clears_away(run: LabellingRun) -> None:
    request_cancel(job_id=run.job_id or 0, now=NOW)
    assert is_cleared(run) and current_state(now_of(run)) == LabellingState.CANCELLED


def test_a_worker_that_died_after_stop_leaves_nothing(run: LabellingRun, cast: Cast) -> None:
    claim_job(job_id=run.job_id or 0, now=NOW)
    cancel_run(run=now_of(run), actor=cast.rosa, now=NOW)
    assert not label_folder(run).heartbeat.exists(), "workers go home at once"
    assert staged_texts(run).of(0).exists(), "who holds the job waits for them first"
    with pytest.raises(StillStopping, match="still being stopped"):
        resume_run(run=now_of(run), actor=cast.rosa, now=NOW)
    requeue_expired(now=NOW + all_settings.JOB_LEASE + timedelta(seconds=1))
    assert is_cleared(run)
    again = look(resume_run(run=now_of(run), actor=cast.rosa, now=NOW))
    label_as_ml_backend(again)
    assert_whole(look(again))


def test_a_worker_that_is_told_to_stop_meanwhile_leaves_nothing(run: LabellingRun, cast: Cast) -> None:
    claim = claim_job(job_id=run.job_id or 0, now=NOW)
    cancel_run(run=now_of(run), actor=cast.rosa, now=NOW)
    assert claim is not None
    hand_back_job(claim, now=NOW)
    assert is_cleared(run)


def test_a_stopped_job_that_is_tried_again_takes_its_run_along(
    run: LabellingRun, cast: Cast, demo_corpus: Corpus, adapter: Adapter
) -> None:
    cancel_run(run=run, actor=cast.rosa, now=NOW)
    retry_job(job_id=run.job_id or 0, now=NOW)
    again = look(now_of(run))
    assert again.state == LabellingState.RUNNING
    with pytest.raises(AnotherUnderWay):
        started(cast.study, demo_corpus, adapter)
    pause_run(run=again, actor=cast.rosa, now=NOW)
    assert look(again).job is None


def test_a_stopped_job_is_not_tried_again_beside_another_run(
    run: LabellingRun, cast: Cast, demo_corpus: Corpus, adapter: Adapter
) -> None:
    cancel_run(run=run, actor=cast.rosa, now=NOW)
    started(cast.study, demo_corpus, adapter)
    retry_job(job_id=run.job_id or 0, now=NOW)
    refused = look(now_of(run))
    assert refused.job and refused.job.state == JobState.FAILED and "run 2 is under way" in refused.job.error
    assert refused.state == LabellingState.CANCELLED


def test_a_folder_that_no_row_knows_is_not_taken_for_its_own(
    run: LabellingRun, cast: Cast, demo_corpus: Corpus, adapter: Adapter
) -> None:
    """As after a restore: the next run has the number of one that only the files remember."""
    label_as_ml_backend(run)
    look(run)
    LabellingRun.objects.all().delete()
    next_one = look(started(cast.study, demo_corpus, adapter, seed=2, n_posts=5))
    assert next_one.folder == run.folder and not next_one.files.written_shards()
    label_as_ml_backend(next_one)
    assert_whole(look(next_one))
