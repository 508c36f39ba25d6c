"""The demo's story; and of the small demo the rounds that its annotators play, and the model that learns from them."""

from __future__ import annotations

from random import Random

import httpx
from django.urls import reverse
from django.utils import timezone

from backend.annotate.batches.models import Batch
from backend.annotate.label_studio.client import connect
from backend.annotate.label_studio.errors import LabelStudioUnreachable
from backend.annotate.sync.errors import SyncError
from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobPostponed
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject
from backend.core.studies.models import Study
from backend.decide.agreement.selectors import is_complete
from backend.learn.retraining.claiming import start_by_hand
from backend.learn.retraining.models import ScheduleKind
from backend.learn.retraining.selectors import schedule_of
from backend.learn.retraining.services import Plan, change_schedule
from backend.operate.demo.models import Story
from backend.operate.demo.playing import play_share
from backend.operate.demo.queue import (
    LEARN,
    PLAY_ROUNDS,
    RESET_DEMO,
    SHOW,
    TELL_STORY,
    LearnJob,
    PlayJob,
    ShowJob,
    enqueue_learning,
    enqueue_showing,
)
from backend.operate.demo.showing import show_model
from backend.operate.demo.story.loading import TellJob
from backend.operate.demo.story.resetting import ResetJob, reset_demo
from backend.operate.demo.story.steps import STEPS, Telling

# Whoever adjudicates a handful of items sees a model learn from them, within seconds
FROM_NOW_ON = Plan(ScheduleKind.JUDGMENTS, enough=5, learner="tfidf-logistic")


@job_handler(PLAY_ROUNDS)
def play_rounds(context: JobContext, arguments: JsonObject) -> Json:
    """Waits for Label Studio; what was cut off goes on where it stopped, and a batch that was discarded is left out."""
    job = PlayJob.model_validate(arguments)
    batches = list(Batch.objects.filter(pk__in=job.batches).select_related("study"))
    if not batches:
        return {"summary": "The batches were discarded: there is nothing to play."}
    shares = [
        share
        for batch in batches
        for share in batch.assignments.select_related("annotator", "batch", "batch__edition")
    ]
    total, done = sum(share.assigned_items.count() for share in shares), 0
    try:
        for share in shares:
            for _ in play_share(share, connect(), Random(f"{job.seed} {share.annotator.username}")):
                done += 1
                context.report(done=done, total=total, unit="items", note="Submitting invented answers")
    except (LabelStudioUnreachable, SyncError, httpx.HTTPError) as problem:
        raise JobPostponed(str(problem)) from problem
    with context.fenced_transaction():
        enqueue_learning(study=batches[0].study, batches=batches, now=timezone.now())
    names = " and ".join(f"“{batch.name}”" for batch in batches)
    return {"summary": f"The demo's answers to {names} are there."}


@job_handler(LEARN)
def learn_from_rounds(context: JobContext, arguments: JsonObject) -> Json:
    """Waits until every answer has been read back; whoever started a run meanwhile was faster, and that is fine."""
    asked = LearnJob.model_validate(arguments).batches
    batches = list(Batch.objects.filter(pk__in=asked).select_related("study"))
    if not batches:
        return {"summary": "The batches were discarded: there is nothing to learn from."}
    if not all(map(is_complete, batches)):
        raise JobPostponed("Not every answer has been read yet.")
    study = batches[0].study
    if schedule_of(study) is None:
        with context.fenced_transaction():
            change_schedule(study=study, plan=FROM_NOW_ON, actor=study.created_by, now=timezone.now())
    if study.retraining_runs.exists():
        return {"summary": "There is nothing left to start."}
    with context.fenced_transaction():
        run = start_by_hand(study=study, actor=study.created_by, now=timezone.now())
        enqueue_showing(study=study, now=timezone.now())
    return {
        "summary": f"Retraining {run.number} learns from the demo's answers.",
        "url": reverse("retraining:run", args=[study.slug, run.number]),
    }


@job_handler(SHOW)
def show_what_it_learned(context: JobContext, arguments: JsonObject) -> Json:
    study = Study.objects.filter(pk=ShowJob.model_validate(arguments).study).first()
    if study is None:
        return {"summary": "The study is gone: there is nothing to show."}
    return {"summary": show_model(context, study)}


@job_handler(TELL_STORY)
def tell_story(context: JobContext, arguments: JsonObject) -> Json:
    """Step by step; a step that was cut off is gone through again, and does only what is missing."""
    story = Story.objects.select_related("study").filter(pk=TellJob.model_validate(arguments).story).first()
    if story is None:
        return {"summary": "The demo was reset: there is nothing left to make."}
    telling = Telling(context, story)
    for number, (name, step) in enumerate(STEPS):
        context.report(done=number, total=len(STEPS), unit="steps", note=name)
        if number < story.steps_done:
            continue
        step(telling)
        with context.fenced_transaction():
            story.steps_done = number + 1
            story.save(update_fields=["steps_done"])
    context.report(done=len(STEPS), total=len(STEPS), unit="steps", note="The demo is made")
    return {
        "summary": "The demo is made: look around.",
        "url": reverse("overview:study", args=[story.study.slug]),
    }


@job_handler(RESET_DEMO)
def reset(context: JobContext, arguments: JsonObject) -> Json:
    try:
        study = reset_demo(ResetJob.model_validate(arguments))
    except LabelStudioUnreachable as problem:
        raise JobPostponed(str(problem)) from problem
    return {"summary": "The demo begins anew.", "url": reverse("overview:study", args=[study.slug])}
