"""An ML worker that is away is named for as long as it is, and one that works is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from pytest_django.fixtures import Settings

from backend.core.jobs.models import Job, JobState
from backend.core.ml_tasks.following import UNANSWERED, WAITING
from backend.design.corpora.models import Corpus
from backend.operate.monitoring.findings import Level
from backend.operate.monitoring.rows import ml_worker_finding
from tests.backend.learn.models.fixtures import (
    ask_for_training,
    folder_of,
    release_in,
    run,
    work_as_ml_backend,
)
from tests.backend.publish.labelling.fixtures import adapter_in, look, started
from tests.cast import Cast

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, settings: Settings) -> None:
    for name in ("RELEASES_DIR", "ADAPTERS_DIR", "LABELLED_DIR", "ML_DIR"):
        setattr(settings, name, tmp_path / name)
    settings.ML_PATIENCE = timedelta(0)


@pytest.fixture
def job(cast: Cast, tmp_path: Path) -> Job:
    return ask_for_training(release_in(cast.study, tmp_path / "made"))


@contextmanager
def waiting_notes(on_write: Callable[[], None] = lambda: None) -> Iterator[list[str]]:
    """What jobs say of their waiting meanwhile, each time that a row is written."""
    notes: list[str] = []

    def see(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if sql.startswith("UPDATE") and "progress_note" in sql:
            notes.extend(each for each in params if each in (WAITING, UNANSWERED))
            on_write()
        return result

    with connection.execute_wrapper(see):
        yield notes


def test_an_ml_worker_that_is_away_is_named_once_a_job_waits_for_it(job: Job) -> None:
    assert ml_worker_finding().level is Level.OK
    assert run(job).state == JobState.QUEUED, "nobody took it"
    found = ml_worker_finding()
    assert found.level is Level.WARNING
    assert found.says == "1 jobs wait for it and it does not answer: see that ml-worker runs"
    work_as_ml_backend(folder_of(job))
    assert run(job).state == JobState.DONE
    assert ml_worker_finding().level is Level.OK


def test_a_new_try_is_no_sign_that_it_is_back(job: Job) -> None:
    with waiting_notes() as notes:
        run(job)
    assert notes[0] == WAITING and notes[-1] == UNANSWERED
    with waiting_notes() as notes:
        run(job)
    assert set(notes) == {UNANSWERED}


def test_whoever_took_the_work_and_went_away_is_waited_for_anew(job: Job, settings: Settings) -> None:
    run(job)
    settings.ML_PATIENCE = timedelta(seconds=1.2)
    with ExitStack() as work, waiting_notes(work.close) as notes:
        work.enter_context(folder_of(job).hold())
        run(job)
    assert notes[0] == WAITING and notes[-1] == UNANSWERED


def test_a_labelling_run_that_nobody_takes_up_says_so_while_it_tries_again(
    cast: Cast, demo_corpus: Corpus, tmp_path: Path
) -> None:
    labelling = look(started(cast.study, demo_corpus, adapter_in(cast.study, tmp_path / "made")))
    assert ml_worker_finding().level is Level.WARNING
    with waiting_notes() as notes:
        look(labelling)
    assert set(notes) == {UNANSWERED}
