"""A transfer study from the start to its results, stopped and resumed in between; and what is refused at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backend.core.ml_tasks.folders import task_folder
from backend.decide.releases.models import Release
from backend.learn.transfer.errors import (
    NotStopped,
    NotUnderWay,
    StudyUnusable,
    TaskUnknown,
    TransferFinished,
)
from backend.learn.transfer.requests import TransferTaskIn, choosable_tasks
from backend.learn.transfer.selectors import run_numbered
from backend.learn.transfer.services import resume_transfer, stop_transfer
from learning.transfer.cells import CellStore, grid_of
from learning.transfer.reading import prepare
from ml_backend.pools.grid import GridStopped
from tests.backend.learn.models.fixtures import release_in
from tests.backend.learn.models.fixtures import run as run_job
from tests.backend.learn.transfer.fixtures import CODES, asked_for, job_of, started, work
from tests.cast import NOW, Cast
from tests.ml_backend.pools.here import HerePool, stop_after

pytestmark = pytest.mark.django_db


def test_what_is_trained_before_a_stop_is_kept_and_used_again(
    release: Release, tiny_backbone: str, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    from ml_backend.transfer.run import run_grid

    run = started(release, asked_for(release, tiny_backbone, CODES[:2]))
    assert run.state == "waiting" and run_job(job_of(run)).state == "queued"
    ready = prepare(run.read_request())
    with pytest.raises(GridStopped):
        run_grid(
            ready.study,
            ready.tasks,
            run.folder,
            HerePool(),
            report=lambda line: None,
            on_progress=stop_after(1),
        )
    with django_capture_on_commit_callbacks(execute=True):
        stopped = stop_transfer(run=run, actor=release.created_by, now=NOW)
    assert stopped.state == "stopped"
    assert task_folder(run.study, job_of(run).pk).cancel.exists(), "whoever works on it leaves"
    first = grid_of(ready.study, ready.tasks)[0]
    kept = CellStore(run.folder).path(first).read_bytes()
    with pytest.raises(NotUnderWay):
        stop_transfer(run=run, actor=release.created_by, now=NOW)
    resumed = resume_transfer(run=run, actor=release.created_by, now=NOW)
    assert resumed.state == "waiting" and CellStore(run.folder).path(first).read_bytes() == kept
    with pytest.raises(NotStopped):
        resume_transfer(run=run, actor=release.created_by, now=NOW)
    after = work(run)
    results = after.read_results()
    assert after.state == "finished" and results is not None
    assert [task.name for task in results.tasks] == ["Emotional reactions", "Interpretations"]
    assert len(results.pairs) == 2 and after.pairs.startswith("source,")
    assert not run.folder.exists()
    with pytest.raises(TransferFinished):
        resume_transfer(run=run, actor=release.created_by, now=NOW)


def test_tasks_of_other_studies_need_a_researcher_of_both(
    release: Release, cast: Cast, tmp_path: Path
) -> None:
    """Otto has a study of his own; Rosa is no member of it, and Ada, who knows all studies, may use both."""
    elsewhere = release_in(cast.other_study, tmp_path / "elsewhere")
    mixed = asked_for(release, codes=CODES[:2])
    mixed.tasks[1] = TransferTaskIn(study=cast.other_study.slug, release=elsewhere.number, code=CODES[0])
    with pytest.raises(TaskUnknown, match="elsewhere"):
        started(release, mixed, cast.rosa)
    assert {task.study for task in choosable_tasks(release.study, cast.rosa)} == {"kind-words"}
    assert len(choosable_tasks(release.study, cast.ada)) == 6
    run = started(release, mixed, cast.ada)
    names = [task.name for task in run.read_request().tasks]
    assert names == ["Emotional reactions, Kind words 1", "Emotional reactions, Elsewhere 1"]
    assert run_numbered(release.study, 1) == run


def test_what_cannot_be_learned_is_refused_at_once(release: Release, cast: Cast, tmp_path: Path) -> None:
    with pytest.raises(TaskUnknown, match="no code kindness"):
        started(release, asked_for(release, codes=("kindness", CODES[0])))
    with pytest.raises(StudyUnusable, match="Two tasks are called"):
        started(release, asked_for(release, codes=(CODES[0], CODES[0])))
    with pytest.raises(StudyUnusable, match="epoch_count"):
        started(release, asked_for(release, epoch_count=3))
    textless = release_in(cast.other_study, tmp_path / "textless", with_texts=False)
    with pytest.raises(StudyUnusable, match="holds no texts"):
        started(textless, asked_for(textless))
    assert not release.study.transfer_runs.exists()


def test_a_failure_says_why_and_is_tried_again(release: Release) -> None:
    run = started(release, asked_for(release, codes=CODES[:2]))
    run_job(job_of(run))
    folder = task_folder(run.study, job_of(run).pk)
    folder.write_failure("there is no backbone no-such-backbone")
    assert run_job(job_of(run)).state == "failed"
    again = run_numbered(run.study, 1)
    assert again.state == "failed" and again.job is not None and "no-such-backbone" in again.job.error
    assert resume_transfer(run=again, actor=release.created_by, now=NOW).state == "waiting"
