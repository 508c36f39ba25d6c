"""The first step: freezes what there is to learn from, unless nothing is new."""

from __future__ import annotations

from django.utils import timezone

from annotation.release.files import Release as Content
from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobPostponed
from backend.decide.releases.assembling import assemble, next_number
from backend.decide.releases.errors import NothingToRelease, ReleasesBusy
from backend.decide.releases.models import Release
from backend.decide.releases.requests import FreezeRequest
from backend.decide.releases.selectors import read_frozen
from backend.decide.releases.services import freeze_release, frozen_before
from backend.learn.retraining.models import RetrainingRun, RunState
from backend.learn.retraining.steps.values import Done, Ending

NO_LABELS = "there is nothing to learn from yet, because no item has a final label. Collect judgments first."


def freeze(run: RetrainingRun, context: JobContext) -> Done:
    request = freeze_request(run)
    release = frozen_before(run.study, request)
    if release is None and run.previous is not None:
        context.report(done=0, note="Looking for what is new")
        content = assemble(run.study, request, number=next_number(run.study), now=timezone.now())
        if is_same(run.previous, content):
            return _nothing_new(run, run.previous, context)
    try:
        release = release or _freeze(run, request, context)
    except NothingToRelease:
        return Done("No item has a final label.", Ending(RunState.NOTHING_NEW, NO_LABELS))
    return _learn_from(run, release, context, f"Release {release.number}: {release.counts['items']:,} items.")


def freeze_request(run: RetrainingRun) -> FreezeRequest:
    """By the choices of the release before, whose posts stay in their parts; with the texts, to learn from."""
    asked: dict[str, object] = {"name": f"Retraining {run.number}", "edition": run.edition.number}
    earlier = run.previous
    if earlier is not None:
        asked |= {**earlier.request, "split_like": earlier.number}
        asked["ratio"] = ":".join(str(part) for part in earlier.request["ratio"])
    return FreezeRequest.model_validate({**asked, "texts": True})


def is_same(earlier: Release, content: Content) -> bool:
    """Whether the earlier release holds the same labels of the same items, with texts, under the same edition."""
    if not earlier.request["texts"] or earlier.edition.hash != content.edition.hash:
        return False
    return read_frozen(earlier).rows == tuple(content.rows)


def _freeze(run: RetrainingRun, request: FreezeRequest, context: JobContext) -> Release:
    try:
        return freeze_release(
            study=run.study,
            request=request,
            actor=run.started_by or run.study.created_by,
            now=timezone.now(),
            report=lambda step: context.report(done=0, note=step),
            writing=context.fenced_transaction,
        )
    except ReleasesBusy as busy:
        raise JobPostponed(str(busy)) from busy


def _nothing_new(run: RetrainingRun, earlier: Release, context: JobContext) -> Done:
    """A release that no model has learnt from yet is new to the models."""
    since = f"Nothing is new since release {earlier.number}"
    if was_learnt_from(earlier, run.training):
        words = f"nothing is new since release {earlier.number}, so the model in service stays."
        return Done(f"{since}.", Ending(RunState.NOTHING_NEW, words))
    return _learn_from(run, earlier, context, f"{since}, from which no model has learnt yet.")


def was_learnt_from(release: Release, training: object) -> bool:
    """Whether an earlier run has brought a model from it, trained in the same way, to the examination."""
    ended = (RunState.PROMOTED, RunState.KEPT_OUT)
    return RetrainingRun.objects.filter(release=release, training=training, state__in=ended).exists()


def _learn_from(run: RetrainingRun, release: Release, context: JobContext, words: str) -> Done:
    with context.fenced_transaction():
        RetrainingRun.objects.filter(pk=run.pk).update(release=release)
    run.release = release
    return Done(words)
