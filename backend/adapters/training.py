"""Has the ML backend train an adapter, within any job, and takes it into the registry."""

from __future__ import annotations

from datetime import datetime

from annotation.orders.orders import TrainOrder
from backend.accounts.models import User
from backend.adapters.models import Adapter
from backend.adapters.registering import register_adapter
from backend.adapters.requests import TrainRequest
from backend.adapters.selectors import adapter_numbered
from backend.jobs.context import JobContext
from backend.orders.folders import order_folder
from backend.orders.working import work_on
from backend.releases.selectors import release_numbered
from backend.studies.models import Study


def trained(
    context: JobContext,
    *,
    study: Study,
    request: TrainRequest,
    actor: User | None,
    now: datetime,
    step: str = "",
) -> Adapter:
    """However often the job began anew: one adapter. `step` tells the orders of one job apart."""
    release = release_numbered(study, request.release)
    parent = adapter_numbered(study, request.parent) if request.parent else None
    folder = order_folder(study, context.job_id, step)
    order = TrainOrder(
        release=str(release.folder),
        release_hash=release.hash,
        learner=request.learner,
        config=request.options,
        seed=request.seed,
        parent_folder=str(parent.folder) if parent else None,
    )
    answer = work_on(context, folder, order)
    return register_adapter(
        study=study,
        release=release,
        folder=folder,
        adapter_id=answer.adapter_id,
        name=request.name,
        parent=parent,
        actor=actor,
        now=now,
        writing=context.fenced_transaction,
    )
