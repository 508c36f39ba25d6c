"""Calls that set the schedule, start and stop runs, and read what came of them."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status

from backend.core.accounts.access import user_of
from backend.core.studies.access import RESEARCHER, study_of
from backend.core.web.addresses import page
from backend.learn.retraining.api_shapes import RunOut, ScheduleIn, ScheduleOut, run_out, schedule_out
from backend.learn.retraining.claiming import start_by_hand
from backend.learn.retraining.selectors import run_numbered, runs_of, schedule_of
from backend.learn.retraining.services import change_schedule, stop_run, take_up_again

router = Router(auth=RESEARCHER)


@router.get("schedule", response=ScheduleOut)
def read_schedule(request: HttpRequest) -> ScheduleOut:
    """When the study retrains by itself, when next, and how many final judgments are new since the last run."""
    return schedule_out(study_of(request), schedule_of(study_of(request)), now=timezone.now())


@router.put("schedule", response=ScheduleOut)
def set_schedule(request: HttpRequest, body: ScheduleIn) -> ScheduleOut:
    """Holds from now on; what fell due before starts nothing."""
    now = timezone.now()
    changed = change_schedule(study=study_of(request), plan=body.plan(), actor=user_of(request), now=now)
    return schedule_out(study_of(request), changed, now=now)


@router.get("runs", response=list[RunOut])
def list_runs(request: HttpRequest, limit: int = 50, offset: int = 0) -> list[RunOut]:
    """Newest first."""
    return [run_out(run) for run in runs_of(study_of(request))[page(limit, offset)]]


@router.post("runs", response={202: RunOut})
def start_run(request: HttpRequest) -> Status[RunOut]:
    started = start_by_hand(study=study_of(request), actor=user_of(request), now=timezone.now())
    return Status(202, run_out(started))


@router.get("runs/{int:number}", response=RunOut)
def read_run(request: HttpRequest, number: int) -> RunOut:
    return run_out(run_numbered(study_of(request), number))


@router.post("runs/{int:number}/stop", response=RunOut)
def stop(request: HttpRequest, number: int) -> RunOut:
    """A run at work stops within seconds; the model in service stays."""
    stop_run(run=run_numbered(study_of(request), number), now=timezone.now())
    return run_out(run_numbered(study_of(request), number))


@router.post("runs/{int:number}/again", response=RunOut)
def again(request: HttpRequest, number: int) -> RunOut:
    """A run that failed or was stopped goes on at the step it had come to."""
    take_up_again(run=run_numbered(study_of(request), number), now=timezone.now())
    return run_out(run_numbered(study_of(request), number))
