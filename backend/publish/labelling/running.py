"""Has the ML backend label a run's shards and follows it: safe to run twice, from any worker, after any kill."""

from __future__ import annotations

import time

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError

from backend.celery import app
from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobCancelled, JobPostponed, LeaseLost, WorkerStopping
from backend.core.ml_tasks.following import UNANSWERED
from backend.core.notices.models import NoticeKind
from backend.core.notices.services import tell_researchers
from backend.core.studies.services import record_event
from backend.publish.labelling.errors import LabellingFailed, ShardBroken
from backend.publish.labelling.following import Following
from backend.publish.labelling.models import LabellingRun, LabellingState
from backend.publish.labelling.places import work_folder
from backend.publish.labelling.selectors import UNDER_WAY
from backend.publish.labelling.services import clear_away, refuse_second
from backend.publish.labelling.staging import staged
from learning.labelling.sealing import NotWhole, seal
from learning.labelling.work import WorkFolder

LABEL_TASK = "ml.label"
# Invitations go out while there is something left to take, so that workers which are added later join in.
INVITE_EVERY_SECONDS, INVITATION_LIVES_SECONDS = 3.0, 10.0
LOOK_EVERY_SECONDS = 0.2
STOPS_WITHIN_SECONDS = 30.0


def follow_labelling(context: JobContext, run: LabellingRun) -> str:
    """What came of it, in a sentence."""
    if run.job_id != context.job_id:
        return f"Another job goes on with run {run.number}."
    if run.state == LabellingState.FINISHED:
        work_folder(run).remove()
        return done_words(run)
    if run.state in (LabellingState.FAILED, LabellingState.CANCELLED):
        refuse_second(run.study, but=run)
    try:
        return _labelled(context, run)
    except (WorkerStopping, JobPostponed, LeaseLost):
        raise
    except JobCancelled:
        _send_home(work_folder(run))
        clear_away(run)
        _set_state(run, LabellingState.CANCELLED, UNDER_WAY)
        raise
    except Exception:
        work_folder(run).heartbeat.unlink(missing_ok=True)
        _fail(context, run)
        raise


def _labelled(context: JobContext, run: LabellingRun) -> str:
    work = work_folder(run)
    if _is_paused(context, run):
        return _paused(run, work)
    if run.state != LabellingState.RUNNING:
        work.take_failure()
    # A job that was stopped and is tried again goes on with its run; one that is stopped just now hears of it below
    _set_state(run, LabellingState.RUNNING, (*UNDER_WAY, LabellingState.FAILED, LabellingState.CANCELLED))
    staged(context, run)
    following = Following(context, run, work)
    patience = Patience(following)
    while not following.is_done:
        reason = work.take_failure()
        if reason is not None:
            raise LabellingFailed(reason)
        if _is_paused(context, run):
            return _paused(run, work)
        # Paused and resumed before this job had looked
        _set_state(run, LabellingState.RUNNING, (LabellingState.WAITING,))
        work.beat()
        patience.look(work)
        time.sleep(LOOK_EVERY_SECONDS)
    _finish(context, run)
    return done_words(run)


def _paused(run: LabellingRun, work: WorkFolder) -> str:
    _send_home(work)
    return f"Paused after {run.n_labelled:,} of {run.n_units:,} texts."


class Patience:
    """Invites who is there, and hands the job back for a while when nobody comes."""

    def __init__(self, following: Following) -> None:
        self._following = following
        self._invited = self._heard = -1e9

    def look(self, work: WorkFolder) -> None:
        now = time.monotonic()
        if self._heard < 0:
            self._heard = now
        if now - self._invited >= INVITE_EVERY_SECONDS:
            self._invited = now
            self._invite(work)
        if self._following.report() or work.present():
            self._heard = now
        elif now - self._heard >= settings.ML_PATIENCE.total_seconds():
            self._following.report(UNANSWERED)
            raise JobPostponed("No process of the ML backend labels yet.")

    def _invite(self, work: WorkFolder) -> None:
        try:
            app.send_task(
                LABEL_TASK,
                kwargs={"folder": str(work.path)},
                expires=INVITATION_LIVES_SECONDS,
                retry=False,
            )
        except (OperationalError, OSError) as problem:
            self._following.report("Waiting for the message broker")
            raise JobPostponed("No message reaches the ML backend.") from problem


def _is_paused(context: JobContext, run: LabellingRun) -> bool:
    """If so, the job is no longer the run's: whoever resumes it finds that out before or after, not in between."""
    if not LabellingRun.objects.filter(pk=run.pk, state=LabellingState.PAUSED).exists():
        return False
    with context.fenced_transaction():
        paused = LabellingRun.objects.select_for_update().filter(pk=run.pk, state=LabellingState.PAUSED)
        return paused.update(job=None) == 1


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
    work_folder(run).remove()


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


def _send_home(work: WorkFolder) -> None:
    """Comes back when all processes are gone, or at the latest after a while: then the machines they ran on are."""
    work.heartbeat.unlink(missing_ok=True)
    deadline = time.monotonic() + STOPS_WITHIN_SECONDS
    while work.present() and time.monotonic() < deadline:
        time.sleep(LOOK_EVERY_SECONDS)
