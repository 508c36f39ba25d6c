"""Has the ML backend train an adapter, within any job, and takes it into the registry."""

from __future__ import annotations

from datetime import datetime

from backend.core.accounts.models import User
from backend.core.jobs.context import JobContext
from backend.core.ml_tasks.folders import task_folder
from backend.core.ml_tasks.working import work_on
from backend.core.studies.models import Study
from backend.decide.releases.selectors import release_numbered
from backend.learn.models.models import Adapter
from backend.learn.models.registering import register_adapter
from backend.learn.models.requests import TrainRequest
from backend.learn.models.selectors import adapter_numbered
from learning.tasks import contract


def train_and_register(
    context: JobContext,
    *,
    study: Study,
    request: TrainRequest,
    actor: User | None,
    now: datetime,
    step: str = "",
) -> Adapter:
    """However often the job began anew: one adapter. `step` tells the tasks of one job apart."""
    release = release_numbered(study, request.release)
    parent = adapter_numbered(study, request.parent) if request.parent else None
    folder = task_folder(study, context.job_id, step)
    training = contract.TrainRequest(
        release=str(release.folder),
        release_hash=release.hash,
        learner=request.learner,
        config=request.options,
        seed=request.seed,
        parent_folder=str(parent.folder) if parent else None,
    )
    result = work_on(context, folder, training)
    return register_adapter(
        study=study,
        release=release,
        folder=folder,
        adapter_id=result.adapter_id,
        name=request.name,
        parent=parent,
        actor=actor,
        now=now,
        writing=context.fenced_transaction,
    )
