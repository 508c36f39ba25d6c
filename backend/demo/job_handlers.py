"""The round that the demo's annotators play, run by a worker."""

from __future__ import annotations

from random import Random

import httpx

from backend.batches.models import Batch
from backend.demo.playing import play_share
from backend.demo.queue import PLAY_ROUND, PlayJob
from backend.jobs.context import JobContext
from backend.jobs.errors import JobPostponed
from backend.jobs.handlers import job_handler
from backend.jobs.values import Json, JsonObject
from backend.label_studio.client import connect
from backend.label_studio.errors import LabelStudioUnreachable
from backend.mirror.errors import MirrorError


@job_handler(PLAY_ROUND)
def play_round(context: JobContext, arguments: JsonObject) -> Json:
    """Waits for Label Studio; a round that was cut off goes on where it stopped."""
    job = PlayJob.model_validate(arguments)
    batch = Batch.objects.select_related("edition").filter(pk=job.batch).first()
    if batch is None:
        return {"summary": "The batch was discarded: there is nothing to play."}
    shares = list(batch.assignments.select_related("annotator", "batch"))
    total, done = sum(share.assigned_items.count() for share in shares), 0
    try:
        for share in shares:
            for _ in play_share(share, connect(), Random(f"{job.seed} {share.annotator.username}")):
                done += 1
                context.report(done=done, total=total, unit="items", note="Submitting invented answers")
    except (LabelStudioUnreachable, MirrorError, httpx.HTTPError) as problem:
        raise JobPostponed(str(problem)) from problem
    return {"summary": f"“{batch.name}” has the demo's answers."}
