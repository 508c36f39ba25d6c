"""Puts the demo back to its beginning: the study goes with all that was done in it, and is made anew."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from pydantic import BaseModel

from backend.core.accounts.models import User
from backend.core.jobs.errors import JobAlreadyOver, JobPostponed
from backend.core.jobs.models import Job
from backend.core.jobs.selectors import active_jobs
from backend.core.jobs.services import enqueue_job, request_cancel
from backend.core.studies.models import Study
from backend.operate.demo.models import Story
from backend.operate.demo.queue import RESET_DEMO
from backend.operate.demo.story.loading import StorySize, load_story
from backend.operate.erasure.services import erase_study
from backend.secrets_file import load_or_create_secrets


class ResetJob(BaseModel):
    """The story that goes, and what the next one is made of: where the first is gone already, the next can be made."""

    story: int
    size: StorySize
    seed: int


@transaction.atomic
def request_reset(*, story: Story, actor: User, now: datetime) -> Job:
    """While it is being reset, that job is the answer. It belongs to no study, since this one goes."""
    story = Story.objects.select_for_update(of=("self",)).select_related("job").get(pk=story.pk)
    if story.job is not None and story.job.kind == RESET_DEMO and not story.job.is_over:
        return story.job
    asked = ResetJob(story=story.pk, size=StorySize.model_validate(story.size), seed=story.seed)
    job = enqueue_job(
        kind=RESET_DEMO, arguments=asked.model_dump(mode="json"), study=None, created_by=actor, now=now
    )
    Story.objects.filter(pk=story.pk).update(job=job)
    return job


def reset_demo(asked: ResetJob) -> Study:
    """Raises JobPostponed until whoever works for the study has stopped."""
    # The web process asks for a reset and never talks to Label Studio
    from backend.annotate.label_studio.client import connect
    from backend.annotate.sync.erasure import erase_projects

    story = Story.objects.select_related("study").filter(pk=asked.story).first()
    if story is not None:
        _stop_jobs(story.study)
        erase_projects(story.study, connect())
        erase_study(study=story.study)
    password = load_or_create_secrets(settings.SECRETS_FILE).demo_password
    return load_story(
        password=password, clock=timezone.now, say=lambda line: None, size=asked.size, seed=asked.seed
    )


def _stop_jobs(study: Study) -> None:
    for job in active_jobs(study.pk):
        try:
            request_cancel(job_id=job.pk, now=timezone.now())
        except JobAlreadyOver:
            continue
    if active_jobs(study.pk).exists():
        raise JobPostponed("Jobs of the demo are still stopping.")
