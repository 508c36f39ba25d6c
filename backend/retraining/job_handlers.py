"""A retraining, run by a worker."""

from __future__ import annotations

from django.urls import reverse

from backend.jobs.context import JobContext
from backend.jobs.handlers import job_handler
from backend.jobs.values import Json, JsonObject
from backend.retraining.models import StepKind
from backend.retraining.queue import RETRAIN
from backend.retraining.running import carry_out
from backend.retraining.steps.freezing import freeze
from backend.retraining.steps.gating import gate
from backend.retraining.steps.prelabelling import prelabel
from backend.retraining.steps.promoting import promote
from backend.retraining.steps.training import train
from backend.retraining.steps.values import Step
from backend.retraining.words import sentence

STEPS: dict[StepKind, Step] = {
    StepKind.FREEZE: freeze,
    StepKind.TRAIN: train,
    StepKind.GATE: gate,
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
