"""Imports leave a line of history once, pseudonyms differ by study, and what samples need stays."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from backend.core.jobs.models import Job, JobState
from backend.core.jobs.runner import run_job
from backend.core.studies.models import Study
from backend.design.corpora import selectors, services
from backend.design.corpora.errors import (
    BadCorpusName,
    CorpusBusy,
    CorpusInUse,
    SamplesDependOnIt,
    UnknownFile,
)
from backend.design.corpora.files import files_folder
from backend.design.corpora.import_requests import dump_import
from backend.design.corpora.models import Corpus
from backend.design.samples.models import Item
from backend.operate.erasure.services import erase_study
from corpus.demo import DEMO_FOLDER
from corpus.sampling.designs import UniformPairs
from tests.cast import NOW, Cast
from tests.demo_corpus import REDDIT, draw_demo, import_demo


def test_the_same_import_again_adds_nothing(cast: Cast, demo_corpus: Corpus) -> None:
    before = selectors.corpus_counts(demo_corpus), cast.study.events.count()
    assert import_demo(demo_corpus, REDDIT, cast.rosa).already_imported
    assert (selectors.corpus_counts(demo_corpus), cast.study.events.count()) == before


def test_the_counts_of_the_list_and_of_the_page_agree(demo_corpus: Corpus) -> None:
    communities, posts, replies = selectors.corpus_counts(demo_corpus)
    summary = selectors.summary_of(demo_corpus)
    assert (communities, posts, replies) == (len(summary.communities), summary.posts, summary.replies)
    assert summary.posts == 41


def test_nobody_can_be_followed_from_one_study_into_another(cast: Cast) -> None:
    assert selectors.pseudonym_key(cast.study) != selectors.pseudonym_key(cast.other_study)
    assert selectors.pseudonym_key(cast.study) == selectors.pseudonym_key(cast.study)


def test_no_user_name_of_the_dump_is_in_the_corpus(demo_corpus: Corpus) -> None:
    names = set(demo_corpus.store.scan_posts().collect()["author"].drop_nulls())
    names |= set(demo_corpus.store.scan_replies().collect()["author"].drop_nulls())
    assert names
    dump = (DEMO_FOLDER / "NineToFive.comments.ndjson").read_text()
    assert [name for name in names if name in dump] == []


def test_a_name_that_is_taken_or_empty_is_refused(cast: Cast, demo_corpus: Corpus) -> None:
    for name in ("Texts", "texts!", "…"):
        with pytest.raises(BadCorpusName):
            services.create_corpus(study=cast.study, name=name, description="", actor=cast.rosa, now=NOW)


def test_a_corpus_with_samples_cannot_be_deleted(cast: Cast, demo_corpus: Corpus) -> None:
    draw_demo(demo_corpus, "Pairs", UniformPairs(n=3), cast.rosa)
    with pytest.raises(CorpusInUse, match="Pairs"):
        services.delete_corpus(corpus=demo_corpus, actor=cast.rosa, now=NOW)
    assert demo_corpus.store.exists


def test_texts_that_samples_were_drawn_from_are_not_replaced(cast: Cast, demo_corpus: Corpus) -> None:
    draw_demo(demo_corpus, "Pairs", UniformPairs(n=3), cast.rosa)
    with pytest.raises(SamplesDependOnIt, match="Pairs"):
        import_demo(demo_corpus, REDDIT.model_copy(update={"replace": True}), cast.rosa)


def test_a_corpus_that_is_being_imported_into_is_not_deleted(cast: Cast, demo_corpus: Corpus) -> None:
    Job.objects.create(
        kind=services.IMPORT_CORPUS, study=cast.study, arguments={"corpus": demo_corpus.pk}, created_at=NOW
    )
    with pytest.raises(CorpusBusy):
        services.delete_corpus(corpus=demo_corpus, actor=cast.rosa, now=NOW)
    assert demo_corpus.store.exists


@pytest.mark.django_db(transaction=True)
def test_an_import_into_a_busy_corpus_goes_back_to_the_queue(
    cast: Cast, demo_corpus: Corpus, tmp_path: Path, settings: Settings
) -> None:
    settings.FILES_DIR = tmp_path / "files"
    files_folder(cast.study).mkdir(parents=True)
    shutil.copy(DEMO_FOLDER / "workfloor.Posts.xml", files_folder(cast.study))
    request = dump_import("stackexchange", posts="workfloor.Posts.xml", community="workfloor")
    job = services.enqueue_import(corpus=demo_corpus, request=request, actor=cast.rosa, now=NOW)
    with demo_corpus.store.locked():
        run_job(job_id=job.pk, clock=timezone.now)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.woken_at) == (JobState.QUEUED, 0, None)
    run_job(job_id=job.pk, clock=timezone.now)
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert "workfloor" in demo_corpus.store.communities()


@pytest.mark.django_db(transaction=True)
def test_an_erased_study_leaves_no_text_behind(
    cast: Cast, demo_corpus: Corpus, tmp_path: Path, settings: Settings
) -> None:
    settings.FILES_DIR = tmp_path / "files"
    files_folder(cast.study).mkdir(parents=True)
    draw_demo(demo_corpus, "Pairs", UniformPairs(n=3), cast.rosa)
    directory = demo_corpus.directory
    erase_study(study=cast.study)
    assert not directory.exists()
    assert not files_folder(cast.study).exists()
    assert list(Study.objects.all()) == [cast.other_study]
    assert not Item.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_deleted_corpus_takes_its_directory_along(cast: Cast, demo_corpus: Corpus) -> None:
    directory = demo_corpus.directory
    services.delete_corpus(corpus=demo_corpus, actor=cast.rosa, now=NOW)
    assert not directory.exists()
    assert not cast.study.corpora.exists()


def test_an_import_of_a_missing_file_is_refused_before_it_is_queued(cast: Cast, demo_corpus: Corpus) -> None:
    with pytest.raises(UnknownFile, match="NineToFive"):
        services.enqueue_import(corpus=demo_corpus, request=REDDIT, actor=cast.rosa, now=NOW)
    assert not Job.objects.exists()
