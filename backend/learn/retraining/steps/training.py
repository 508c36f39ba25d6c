"""The second step: a model learns from the release, in a process of the ML backend."""

from __future__ import annotations

from django.utils import timezone

from backend.core.jobs.context import JobContext
from backend.learn.models.requests import TrainRequest
from backend.learn.models.training import train_and_register
from backend.learn.retraining.models import RetrainingRun, StepKind
from backend.learn.retraining.steps.values import Done


def train(run: RetrainingRun, context: JobContext) -> Done:
    """However often it is begun: one adapter, which the run then names."""
    asked = {**run.training, "release": run.release.number if run.release else 0}
    adapter = train_and_register(
        context,
        study=run.study,
        request=TrainRequest.model_validate(asked),
        actor=run.started_by,
        now=timezone.now(),
        step=StepKind.TRAIN,
    )
    with context.fenced_transaction():
        RetrainingRun.objects.filter(pk=run.pk).update(adapter=adapter)
    run.adapter = adapter
    begun = f", begun from adapter {adapter.parent.number}" if adapter.parent else ""
    return Done(f"Adapter {adapter.number}, “{adapter.name}”{begun}.")
