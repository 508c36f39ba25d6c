"""Transfer studies whose models are trained within the test, or made up altogether."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec

from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.ml_tasks.folders import task_folder
from backend.decide.releases.models import Release
from backend.learn.transfer.models import TransferRun
from backend.learn.transfer.requests import TransferIn, TransferLimitsIn, TransferTaskIn
from backend.learn.transfer.selectors import run_numbered
from backend.learn.transfer.services import start_transfer
from learning.tasks.contract import TransferRequest
from learning.tasks.progress import ProgressWriter
from learning.transfer.cells import CellAnswer, Description, GridCell, grid_of
from learning.transfer.features import PairFeatures
from learning.transfer.reading import prepare
from learning.transfer.results import TransferResults, summarise
from learning.transfer.splitting import Task
from learning.transfer.tables import pairs_csv
from tests.backend.learn.models.fixtures import run as run_job
from tests.cast import NOW
from tests.ml_backend.pools.here import HerePool

CODES = ("emotional-reactions", "interpretations", "explorations")


def asked_for(
    release: Release, backbone: str = "no-such-backbone", codes: Sequence[str] = CODES, **more: str | float
) -> TransferIn:
    return TransferIn(
        name="What helps what",
        tasks=[TransferTaskIn(release=release.number, code=code) for code in codes],
        seeds=1,
        limits=TransferLimitsIn(train=0, validation=0, test=0),
        resamples=200,
        training={"backbone": backbone, "epochs": 1, "frozen_layers": 1, "rank": 2, "alpha": 4, **more},
    )


def started(release: Release, asked: TransferIn, actor: User | None = None) -> TransferRun:
    actor = actor or release.created_by
    return start_transfer(study=release.study, asked=asked, actor=actor, now=NOW)


def job_of(run: TransferRun) -> Job:
    run = run_numbered(run.study, run.number)
    assert run.job is not None
    return run.job


def work(run: TransferRun) -> TransferRun:
    """What the job and the ML backend do together, without a process."""
    from ml_backend.worker.transferring import transfer

    job = job_of(run)
    assert run_job(job).state == "queued"
    folder = task_folder(run.study, job.pk)
    request = folder.read_request()
    assert isinstance(request, TransferRequest)
    with folder.hold():
        folder.write_result(transfer(folder, request, ProgressWriter(folder.progress), HerePool()))
    after = run_job(job_of(run))
    assert after.state == "done", after.error
    return run_numbered(run.study, run.number)


def finished_by_hand(release: Release) -> TransferRun:
    """With the predictions of made-up models: the first task helps the second, and nothing else does anything."""
    run = started(release, asked_for(release).model_copy(update={"seeds": 2}))
    results, features = made_up_results(run)
    run.results = msgspec.json.encode(results).decode()
    run.pairs = pairs_csv(features, results)
    run.finished_at = NOW
    run.save()
    return run


def made_up_results(run: TransferRun) -> tuple[TransferResults, tuple[PairFeatures, ...]]:
    prepared = prepare(run.read_request())
    tasks = {task.name: task for task in prepared.tasks}
    cells = grid_of(prepared.study, prepared.tasks)
    answers = {cell: _answer(cell, tasks[cell.target]) for cell in cells}
    return summarise(prepared.study, prepared.tasks, answers)


def _answer(cell: GridCell, task: Task) -> CellAnswer:
    names = ("Emotional reactions", "Interpretations")
    share = 0.95 if (cell.source, cell.target) == names else 0.4
    chance = random.Random(f"{cell.source} {cell.target} {cell.seed}")
    said = tuple(
        item.label if chance.random() < share else float(chance.randrange(len(task.classes)))
        for item in task.test
    )
    looks = Description((chance.random(), chance.random()), {"layer": (chance.random(), chance.random())})
    return CellAnswer(
        cell.target, cell.seed, cell.source, said, 0.5, description=looks if cell.describes else None
    )
