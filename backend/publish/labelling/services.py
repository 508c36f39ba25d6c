"""What starts, pauses, resumes and stops labelling runs."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from functools import partial

import msgspec
from django.db import transaction

from backend.core.accounts.models import User
from backend.core.jobs.errors import JobAlreadyOver
from backend.core.jobs.services import enqueue_job, request_cancel
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.design.corpora.models import Corpus
from backend.design.corpora.selectors import corpus_of
from backend.design.samples.models import Sample
from backend.design.samples.selectors import sample_of
from backend.learn.models.models import Adapter
from backend.learn.models.selectors import adapter_in_service, adapter_numbered
from backend.publish.labelling.errors import (
    AnotherUnderWay,
    CommunityMissing,
    CorpusEmpty,
    IsOver,
    NothingInService,
    NotStopped,
    NotUnderWay,
    SampleElsewhere,
    SampleIsWhole,
    StillStopping,
)
from backend.publish.labelling.models import LabellingRun, LabellingState
from backend.publish.labelling.places import label_folder, staged_texts
from backend.publish.labelling.requests import LabelJob, LabelRequest
from backend.publish.labelling.selectors import ENDED, UNDER_WAY, current_state, labelling_runs, next_number
from learning.labelling.facts import RunScope

LABEL_CORPUS = "label_corpus"


@transaction.atomic
def start_run(*, study: Study, request: LabelRequest, actor: User | None, now: datetime) -> LabellingRun:
    """What can be refused without reading the corpus is refused at once."""
    Study.objects.select_for_update().get(pk=study.pk)
    refuse_second(study)
    adapter, corpus = _adapter(study, request), corpus_of(study, request.corpus)
    sample = None if request.sample is None else sample_of(study, request.sample)
    scope = _scope(corpus, sample, request)
    run = LabellingRun.objects.create(
        study=study,
        number=next_number(study),
        adapter=adapter,
        edition=adapter.edition,
        corpus=corpus,
        sample=sample,
        scope=msgspec.to_builtins(scope),
        corpus_state=corpus.store.manifest().state,
        seed=request.seed,
        price_per_hour=request.price_per_hour,
        created_by=actor,
        created_at=now,
    )
    _enqueue(run, actor, now)
    summary = f"Started labelling run {run.number}: “{adapter.name}” on {scope.in_words()} of “{corpus.name}”"
    record_event(study=study, actor=actor, summary=summary[:300], now=now)
    return run


def refuse_second(study: Study, but: LabellingRun | None = None) -> None:
    for run in labelling_runs(study).filter(state__in=UNDER_WAY):
        if run != but and current_state(run) in UNDER_WAY:
            raise AnotherUnderWay(run.number)


def _adapter(study: Study, request: LabelRequest) -> Adapter:
    if request.adapter is not None:
        return adapter_numbered(study, request.adapter)
    found = adapter_in_service(study)
    if found is None:
        raise NothingInService
    return found


def _scope(corpus: Corpus, sample: Sample | None, request: LabelRequest) -> RunScope:
    known = corpus.store.communities()
    if not known:
        raise CorpusEmpty(corpus.name)
    if sample is None:
        if missing := [name for name in request.communities if name not in known]:
            raise CommunityMissing(missing, known)
        return RunScope(communities=tuple(sorted(set(request.communities))), n_posts=request.n_posts)
    if sample.corpus_id != corpus.pk:
        raise SampleElsewhere(sample.name, corpus.name)
    if request.communities or request.n_posts is not None:
        raise SampleIsWhole
    return RunScope(sample=sample.name)


def _enqueue(run: LabellingRun, actor: User | None, now: datetime) -> None:
    asked = LabelJob(run=run.number)
    run.job = enqueue_job(
        kind=LABEL_CORPUS,
        arguments=asked.model_dump(mode="json"),
        study=run.study,
        created_by=actor,
        now=now,
    )
    run.state = LabellingState.WAITING
    run.save(update_fields=["job", "state"])


@transaction.atomic
def pause_run(*, run: LabellingRun, actor: User | None, now: datetime) -> LabellingRun:
    """Its job sees it at its next look, sends the workers home and ends; what is labelled stays."""
    run = _lock_run(run)
    state = current_state(run)
    if state not in UNDER_WAY:
        raise NotUnderWay(run.number, state.label.lower())
    _set_state(run, LabellingState.PAUSED)
    _record(run, "Paused", actor, now)
    return run


@transaction.atomic
def resume_run(*, run: LabellingRun, actor: User | None, now: datetime) -> LabellingRun:
    """Goes on from what is labelled, after a pause, a stop or a failure."""
    run = _lock_run(run)
    state = current_state(run)
    if state not in (LabellingState.PAUSED, LabellingState.FAILED, LabellingState.CANCELLED):
        raise NotStopped(run.number, state.label.lower())
    job = run.job
    is_held = job is not None and not job.is_over
    if job is not None and is_held and job.cancel_requested:
        raise StillStopping(run.number)
    refuse_second(run.study)
    label_folder(run).tries.end()
    if is_held:
        # It has not seen the pause yet, or is about to and asks once more: then it goes on
        _set_state(run, LabellingState.WAITING)
    else:
        _enqueue(run, actor, now)
    _record(run, "Went on with", actor, now)
    return run


@transaction.atomic
def cancel_run(*, run: LabellingRun, actor: User | None, now: datetime) -> LabellingRun:
    """The texts that were laid ready go; what is labelled stays, and the run can still be started again."""
    run = _lock_run(run)
    state = current_state(run)
    if state in ENDED:
        raise IsOver(run.number, state.label.lower())
    _set_state(run, LabellingState.CANCELLED)
    _record(run, "Stopped", actor, now)
    job = run.job
    if job is None or job.is_over:
        transaction.on_commit(partial(clear_away, run))
        return run
    with suppress(JobAlreadyOver):
        request_cancel(job_id=job.pk, now=now)
    return run


def stop_workers(job_id: int) -> None:
    """Of a job that was cancelled, whoever did it: workers are sent home at once. Texts go when nobody follows the job
    any more; who follows it does that when all of them are gone."""
    run = LabellingRun.objects.select_related("study", "job").filter(job_id=job_id).first()
    if run is None or run.state == LabellingState.FINISHED:
        return
    label_folder(run).heartbeat.unlink(missing_ok=True)
    if run.job is not None and run.job.is_over:
        clear_away(run)


def clear_away(run: LabellingRun) -> None:
    label_folder(run).heartbeat.unlink(missing_ok=True)
    staged_texts(run).remove()


def _lock_run(run: LabellingRun) -> LabellingRun:
    """As it is now; of two people who do something with it at once, the second sees what the first did."""
    LabellingRun.objects.select_for_update().get(pk=run.pk)
    return labelling_runs(run.study).get(pk=run.pk)


def _set_state(run: LabellingRun, state: LabellingState) -> None:
    run.state = state
    run.save(update_fields=["state"])


def _record(run: LabellingRun, did: str, actor: User | None, now: datetime) -> None:
    record_event(study=run.study, actor=actor, summary=f"{did} labelling run {run.number}", now=now)
