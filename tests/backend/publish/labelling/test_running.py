"""A run from its start to its end, with the ML backend's part done within the test."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest
from pytest_django.fixtures import Settings

from backend.core.jobs.services import request_cancel, retry_job
from backend.core.notices.models import Notice
from backend.design.corpora.models import Corpus
from backend.learn.models.models import Adapter
from backend.operate.erasure.services import erase_study
from backend.publish.labelling.errors import (
    AnotherUnderWay,
    CommunityMissing,
    IsOver,
    NothingInService,
    NotStopped,
    NotUnderWay,
    SampleElsewhere,
    SampleIsWhole,
)
from backend.publish.labelling.models import LabellingState
from backend.publish.labelling.places import label_folder, staged_texts
from backend.publish.labelling.progress import progress_of
from backend.publish.labelling.selectors import current_state, run_numbered
from backend.publish.labelling.services import cancel_run, pause_run, resume_run
from corpus.sampling.designs import PpsPosts
from learning.labelling.read import scan_units
from tests.backend.publish.labelling.fixtures import (
    adapter_in,
    assert_whole,
    label_as_ml_backend,
    labelled_run,
    look,
    started,
)
from tests.cast import NOW, Cast
from tests.demo_corpus import STACK_EXCHANGE, draw_demo, import_demo


@pytest.fixture
def adapter(cast: Cast, tmp_path: Path) -> Adapter:
    return adapter_in(cast.study, tmp_path / "made")


@pytest.fixture(autouse=True)
def small_shards(settings: Settings) -> None:
    settings.SHARD_TEXTS = 20


def test_a_corpus_is_labelled_whole(cast: Cast, demo_corpus: Corpus, adapter: Adapter) -> None:
    run = started(cast.study, demo_corpus, adapter, price_per_hour="3.60")
    assert run.number == 1 and run.job is not None
    run = look(run)
    posts, replies = demo_corpus.store.scan_posts().collect(), demo_corpus.store.scan_replies().collect()
    assert (run.n_posts, run.n_replies) == (posts.height, replies.height)
    assert current_state(run) == LabellingState.RUNNING and run.job and run.job.state == "queued"
    label_as_ml_backend(run, most=3)
    half = look(run)
    assert 0 < half.n_labelled < half.n_units and half.seconds_worked > 0
    label_as_ml_backend(half)
    done = look(half)
    assert_whole(done)
    assert done.n_labelled == done.n_units
    shown = progress_of(done, now=NOW)
    expected = done.seconds_worked * 3.60 / 3600
    assert shown.cost_so_far == pytest.approx(expected)
    assert shown.cost_per_thousand == pytest.approx(1000 * expected / done.n_units)
    assert done.price_per_hour == Decimal("3.60")
    assert "are labelled" in Notice.objects.get().text


def test_a_sample_and_some_posts_of_a_community_can_be_labelled(
    cast: Cast, demo_corpus: Corpus, adapter: Adapter
) -> None:
    sample = draw_demo(demo_corpus, "Main", PpsPosts(n=8), cast.rosa)
    run = look(started(cast.study, demo_corpus, adapter, sample=sample.pk))
    label_as_ml_backend(run)
    assert_whole(look(run))
    run = look(started(cast.study, demo_corpus, adapter, communities=["manners"], n_posts=4))
    label_as_ml_backend(run)
    run = look(run)
    assert_whole(run)
    assert run.n_posts == 4 and set(scan_units(run.folder).collect()["community"]) == {"manners"}


def test_a_paused_run_goes_on_where_it_was(cast: Cast, demo_corpus: Corpus, adapter: Adapter) -> None:
    run = look(started(cast.study, demo_corpus, adapter))
    label_as_ml_backend(run, most=2)
    written = run.files.written_shards()
    before = {shard: run.files.labels_of(shard).stat().st_mtime_ns for shard in written}
    pause_run(run=run, actor=cast.rosa, now=NOW)
    with pytest.raises(NotUnderWay, match="paused"):
        pause_run(run=run, actor=cast.rosa, now=NOW)
    paused = look(run)
    assert paused.job is None and current_state(paused) == LabellingState.PAUSED
    assert not label_folder(run).heartbeat.exists(), "workers go home"
    resumed = look(resume_run(run=paused, actor=cast.ravi, now=NOW))
    with pytest.raises(NotStopped, match="under way"):
        resume_run(run=resumed, actor=cast.ravi, now=NOW)
    label_as_ml_backend(resumed)
    assert_whole(look(resumed))
    assert before == {shard: run.files.labels_of(shard).stat().st_mtime_ns for shard in written}


def test_a_pause_that_is_taken_back_at_once_leaves_one_job(
    cast: Cast, demo_corpus: Corpus, adapter: Adapter
) -> None:
    run = look(started(cast.study, demo_corpus, adapter))
    pause_run(run=run, actor=cast.rosa, now=NOW)
    resumed = resume_run(run=run, actor=cast.rosa, now=NOW)
    assert resumed.job_id == run.job_id
    label_as_ml_backend(resumed)
    assert_whole(look(resumed))


@pytest.mark.django_db(transaction=True)
def test_a_stopped_run_leaves_no_texts_and_can_be_started_again(
    cast: Cast, demo_corpus: Corpus, adapter: Adapter, settings: Settings
) -> None:
    run = look(started(cast.study, demo_corpus, adapter))
    label_as_ml_backend(run, most=2)
    stopped = cancel_run(run=run, actor=cast.rosa, now=NOW)
    stopped = run_numbered(cast.study, stopped.number)
    assert current_state(stopped) == LabellingState.CANCELLED and stopped.job and stopped.job.is_over
    with pytest.raises(IsOver, match="nothing to stop"):
        cancel_run(run=stopped, actor=cast.rosa, now=NOW)
    assert not staged_texts(run).of(0).exists() and len(run.files.written_shards()) == 2
    settings.SHARD_TEXTS = 7
    again = look(resume_run(run=stopped, actor=cast.rosa, now=NOW))
    assert again.n_shards == run.n_shards, "what is labelled stays what it is"
    label_as_ml_backend(again)
    assert_whole(look(again))


def test_a_job_that_was_stopped_in_the_queue_leaves_the_run_stopped(
    cast: Cast, demo_corpus: Corpus, adapter: Adapter
) -> None:
    run = started(cast.study, demo_corpus, adapter)
    request_cancel(job_id=run.job_id or 0, now=NOW)
    run = run_numbered(cast.study, run.number)
    assert (run.state, current_state(run)) == (LabellingState.WAITING, LabellingState.CANCELLED)
    retry_job(job_id=run.job_id or 0, now=NOW)
    run = look(run_numbered(cast.study, run.number))
    label_as_ml_backend(run)
    assert_whole(look(run))


def test_a_failure_says_why_and_the_run_can_be_started_again(
    cast: Cast, demo_corpus: Corpus, adapter: Adapter
) -> None:
    run = look(started(cast.study, demo_corpus, adapter))
    label_folder(run).write_failure("Shard 3 stopped its process 3 times.")
    failed = look(run)
    assert current_state(failed) == LabellingState.FAILED
    assert "Shard 3 stopped its process 3 times" in progress_of(failed, now=NOW).error
    assert not label_folder(run).heartbeat.exists()
    again = look(resume_run(run=failed, actor=cast.rosa, now=NOW))
    label_as_ml_backend(again)
    assert_whole(look(again))


def test_a_corpus_that_changed_is_refused(cast: Cast, demo_corpus: Corpus, adapter: Adapter) -> None:
    run = started(cast.study, demo_corpus, adapter)
    import_demo(demo_corpus, STACK_EXCHANGE.model_copy(update={"community": "more"}), cast.rosa)
    failed = look(run)
    assert "start a new run" in progress_of(failed, now=NOW).error


def test_a_broken_shard_is_found_at_the_end_and_labelled_anew(
    cast: Cast, demo_corpus: Corpus, adapter: Adapter
) -> None:
    run = look(started(cast.study, demo_corpus, adapter))
    label_as_ml_backend(run)
    place = run.files.labels_of(1)
    whole = pl.read_parquet(place)
    pl.concat([whole.head(-1), whole.head(1)]).write_parquet(place)
    failed = look(run)
    assert "shard 1 was removed" in progress_of(failed, now=NOW).error and not place.exists()
    again = look(resume_run(run=failed, actor=cast.rosa, now=NOW))
    label_as_ml_backend(again)
    assert_whole(look(again))


def test_what_cannot_be_labelled_is_refused(cast: Cast, demo_corpus: Corpus, adapter: Adapter) -> None:
    study = cast.study
    with pytest.raises(NothingInService):
        started(study, demo_corpus, None)
    with pytest.raises(CommunityMissing, match="nowhere: it has"):
        started(study, demo_corpus, adapter, communities=["nowhere"])
    sample = draw_demo(demo_corpus, "Main", PpsPosts(n=8), cast.rosa)
    with pytest.raises(SampleIsWhole):
        started(study, demo_corpus, adapter, sample=sample.pk, n_posts=3)
    other = study.corpora.create(name="Other", slug="other", created_by=cast.rosa, created_at=NOW)
    import_demo(other, STACK_EXCHANGE, cast.rosa)
    with pytest.raises(SampleElsewhere):
        started(study, other, adapter, sample=sample.pk)
    run = started(study, demo_corpus, adapter)
    with pytest.raises(AnotherUnderWay, match=f"run {run.number} is under way"):
        started(study, demo_corpus, adapter)
    cancel_run(run=run, actor=cast.rosa, now=NOW)
    run = look(started(study, demo_corpus, adapter, n_posts=10**6))
    assert "cannot be drawn" in progress_of(run, now=NOW).error


def test_another_job_of_the_same_run_does_nothing(cast: Cast, demo_corpus: Corpus, adapter: Adapter) -> None:
    run = look(started(cast.study, demo_corpus, adapter))
    label_folder(run).write_failure("no memory")
    failed = look(run)
    old = failed.job
    resume_run(run=failed, actor=cast.rosa, now=NOW)
    assert old is not None
    retry_job(job_id=old.pk, now=NOW)
    run.job = old
    look(run)
    old.refresh_from_db()
    assert old.state == "done" and "Another job" in str(old.result)


def test_what_was_labelled_cannot_be_deleted(cast: Cast, demo_corpus: Corpus, adapter: Adapter) -> None:
    from backend.design.corpora.errors import CorpusLabelled
    from backend.design.corpora.services import delete_corpus
    from backend.design.samples.services import SampleError, delete_sample

    labelled_run(cast.study, corpus=demo_corpus, adapter=adapter)
    with pytest.raises(CorpusLabelled, match="labelling runs 1"):
        delete_corpus(corpus=demo_corpus, actor=cast.rosa, now=NOW)
    sample = draw_demo(demo_corpus, "Main", PpsPosts(n=8), cast.rosa)
    labelled_run(cast.study, corpus=demo_corpus, adapter=adapter, sample=sample)
    with pytest.raises(SampleError, match="labelling runs 2"):
        delete_sample(sample=sample, actor=cast.rosa, now=NOW)


def test_a_deleted_study_leaves_no_labels_and_no_texts(
    cast: Cast, demo_corpus: Corpus, adapter: Adapter
) -> None:
    labelled_run(cast.study, corpus=demo_corpus, adapter=adapter)
    run = look(started(cast.study, demo_corpus, adapter))
    pause_run(run=run, actor=cast.rosa, now=NOW)
    look(run)
    assert staged_texts(run).of(0).exists()
    erase_study(study=cast.study)
    assert not label_folder(run).path.exists() and not run.folder.parent.exists()
