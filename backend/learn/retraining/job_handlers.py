"""A retraining, run by a worker."""

from __future__ import annotations

from django.urls import reverse

from backend.core.jobs.context import JobContext
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject
from backend.learn.retraining.claiming import RETRAIN
from backend.learn.retraining.models import StepKind
from backend.learn.retraining.running import carry_out
from backend.learn.retraining.steps.freezing import freeze
from backend.learn.retraining.steps.prelabelling import prelabel
from backend.learn.retraining.steps.promoting import promote
from backend.learn.retraining.steps.promotion import compare_with_service
from backend.learn.retraining.steps.training import train
from backend.learn.retraining.steps.values import Step
from backend.learn.retraining.words import sentence

STEPS: dict[StepKind, Step] = {
    StepKind.FREEZE: freeze,
    StepKind.TRAIN: train,
    StepKind.PROMOTION: compare_with_service,
    StepKind.PROMOTE: promote,
    StepKind.PRELABEL: prelabel,
}


@job_handler(RETRAIN)
def retrain(context: JobContext, arguments: JsonObject) -> Json:
    run = carry_out(context, STEPS)
    return {
        "summary": sentence(run.words),
        "url": reverse("retraining:run", args=[run.study.slug, run.number]),
        "retraining": run.number,
    }
