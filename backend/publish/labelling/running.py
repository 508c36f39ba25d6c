"""Has the ML backend label a run's shards and follows it: safe to run twice, from any worker, after any kill."""

from __future__ import annotations

import shutil

from django.urls import reverse
from django.utils import timezone

from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobCancelled, JobPostponed, LeaseLost, WorkerStopping
from backend.core.ml_tasks.working import stop_work, work_on
from backend.core.notices.models import NoticeKind
from backend.core.notices.services import tell_researchers
from backend.core.studies.services import record_event
from backend.publish.labelling.errors import ShardBroken
from backend.publish.labelling.following import RunPaused, ShardFollower, refuse_paused
from backend.publish.labelling.models import LabellingRun, LabellingState
from backend.publish.labelling.places import label_folder
from backend.publish.labelling.selectors import UNDER_WAY
from backend.publish.labelling.services import clear_away, refuse_second
from backend.publish.labelling.staging import stage
from learning.labelling.facts import RunFacts
from learning.labelling.sealing import NotWhole, seal
from learning.tasks.contract import LabelRequest


def follow_labelling(context: JobContext, run: LabellingRun) -> str:
    """What came of it, in a sentence."""
    if run.job_id != context.job_id:
        return f"Another job goes on with run {run.number}."
    if run.state == LabellingState.FINISHED:
        shutil.rmtree(label_folder(run).path, ignore_errors=True)
        return done_words(run)
    if run.state in (LabellingState.FAILED, LabellingState.CANCELLED):
        refuse_second(run.study, but=run)
    try:
        return _label(context, run)
    except (WorkerStopping, JobPostponed, LeaseLost):
        raise
    except RunPaused:
        stop_work(label_folder(run))
        return f"Paused after {run.n_labelled:,} of {run.n_units:,} texts."
    except JobCancelled:
        clear_away(run)
        _set_state(run, LabellingState.CANCELLED, UNDER_WAY)
        raise
    except Exception:
        label_folder(run).heartbeat.unlink(missing_ok=True)
        _fail(context, run)
        raise


def _label(context: JobContext, run: LabellingRun) -> str:
    folder = label_folder(run)
    refuse_paused(context, run)
    if run.state != LabellingState.RUNNING:
        folder.take_failure()
    # A job that was stopped and is tried again goes on with its run; one that is stopped just now hears of it below
    _set_state(run, LabellingState.RUNNING, (*UNDER_WAY, LabellingState.FAILED, LabellingState.CANCELLED))
    facts = stage(context, run)
    follower = ShardFollower(context, run)
    if not follower.is_done:
        # Of an earlier attempt, whose labels were found to be broken since
        folder.result.unlink(missing_ok=True)
        work_on(context, folder, _request(run, facts), follower)
        follower.look()
    _finish(context, run)
    return done_words(run)


def _request(run: LabellingRun, facts: RunFacts) -> LabelRequest:
    return LabelRequest(
        run_folder=str(run.folder),
        adapter_folder=str(run.adapter.folder),
        adapter_id=facts.adapter_id,
        card_hash=facts.card_hash,
    )


def _set_state(run: LabellingRun, state: LabellingState, before: tuple[LabellingState, ...]) -> None:
    """Unless a person has meanwhile made another of it."""
    if LabellingRun.objects.filter(pk=run.pk, state__in=before).update(state=state):
        run.state = state


def _fail(context: JobContext, run: LabellingRun) -> None:
    with context.fenced_transaction():
        _set_state(run, LabellingState.FAILED, (*UNDER_WAY, LabellingState.FAILED))
        _tell(
            run,
            NoticeKind.ERROR,
            f"Labelling run {run.number} failed; its page says why.",
            str(context.job_id),
        )


def _finish(context: JobContext, run: LabellingRun) -> None:
    def report(done: int, total: int) -> None:
        context.report(
            done=run.n_units, total=run.n_units, unit="texts", note=f"Checking shard {done:,} of {total:,}"
        )

    try:
        output_hash = seal(run.files, report=report)
    except NotWhole as problem:
        run.files.labels_of(problem.shard).unlink(missing_ok=True)
        raise ShardBroken(problem.shard, str(problem)) from problem
    now = timezone.now()
    with context.fenced_transaction():
        run.state, run.finished_at, run.output_hash = LabellingState.FINISHED, now, output_hash
        run.save(update_fields=["state", "finished_at", "output_hash"])
        record_event(study=run.study, actor=run.created_by, summary=done_words(run), now=now)
        _tell(run, NoticeKind.GOOD, done_words(run), "finished")
    shutil.rmtree(label_folder(run).path, ignore_errors=True)


def _tell(run: LabellingRun, kind: NoticeKind, text: str, what: str) -> None:
    tell_researchers(
        study=run.study,
        key=f"labelling {run.number} {what}",
        kind=kind,
        text=text,
        url=reverse("labelling:detail", args=[run.study.slug, run.number]),
        now=timezone.now(),
    )


def done_words(run: LabellingRun) -> str:
    return f"Labelling run {run.number}: {run.n_posts:,} posts and {run.n_replies:,} replies are labelled."
