"""The long work of labelling, run by a worker, which leaves the computing to the ML backend."""

from __future__ import annotations

from django.urls import reverse

from backend.core.jobs.context import JobContext
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject
from backend.core.studies.models import Study
from backend.publish.labelling.requests import LabelJob
from backend.publish.labelling.running import follow_labelling
from backend.publish.labelling.selectors import run_numbered
from backend.publish.labelling.services import LABEL_CORPUS


@job_handler(LABEL_CORPUS)
def label_corpus(context: JobContext, arguments: JsonObject) -> Json:
    study = Study.objects.get(jobs=context.job_id)
    run = run_numbered(study, LabelJob.model_validate(arguments).run)
    return {
        "summary": follow_labelling(context, run),
        "url": reverse("labelling:detail", args=[study.slug, run.number]),
        "run": run.number,
    }
