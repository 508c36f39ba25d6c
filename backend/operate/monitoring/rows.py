"""What the database tells about jobs, the schedule, the sync and the models in service."""

from __future__ import annotations

from datetime import datetime

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count, Min, Q
from django_celery_beat.models import PeriodicTask

from backend.annotate.batches.models import BatchState
from backend.annotate.sync.models import Project, ProjectState
from backend.core.jobs.models import ACTIVE_STATES, Job, JobState
from backend.core.jobs.selectors import neglected_jobs
from backend.core.ml_tasks.following import UNANSWERED
from backend.core.web.formats import duration
from backend.learn.models.models import Adapter, AdapterState
from backend.operate.monitoring.findings import Finding, Level, Limits

SWEEP = "jobs.sweep"


def database_finding() -> Finding:
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        says = f"it does not answer ({type(error).__name__}): see that its server runs"
        return Finding("database", Level.CRITICAL, says)
    if missing:
        says = f"{len(missing)} migrations are missing: start web again, which applies them"
        return Finding("database", Level.CRITICAL, says)
    return Finding("database", Level.OK, "answers and is up to date")


def row_findings(limits: Limits, *, now: datetime) -> list[Finding]:
    return [
        queue_finding(limits, now=now),
        ml_worker_finding(),
        failures_finding(limits, now=now),
        schedule_finding(limits, now=now),
        sync_finding(limits, now=now),
        models_finding(now=now),
    ]


def queue_finding(limits: Limits, *, now: datetime) -> Finding:
    lost = Job.objects.filter(state=JobState.RUNNING, lease_until__lt=now - limits.sweep_pauses).count()
    unheard = neglected_jobs(now - limits.sweep_pauses).count()
    if lost or unheard:
        says = f"{lost + unheard} jobs are not taken up: see that worker and beat run"
        return Finding("jobs", Level.CRITICAL, says)
    queued = Job.objects.filter(state=JobState.QUEUED)
    running = Job.objects.filter(state=JobState.RUNNING).count()
    oldest = queued.aggregate(since=Min("created_at"))["since"]
    says = f"{queued.count()} queued, {running} running"
    if oldest is None:
        return Finding("jobs", Level.OK, says)
    says = f"{says}, the oldest queued for {duration(now - oldest)}"
    late = now - oldest > limits.job_waits
    more = ": more workers may help, or it waits for the ML backend" if late else ""
    return Finding("jobs", Level.WARNING if late else Level.OK, says + more)


def ml_worker_finding() -> Finding:
    """Known by the note that each try in vain leaves: rows tell nothing of an ML backend that nobody needs."""
    waiting = Job.objects.filter(state__in=ACTIVE_STATES, progress_note=UNANSWERED).count()
    if waiting:
        says = f"{waiting} jobs wait for it and it does not answer: see that ml-worker runs"
        return Finding("ml-worker", Level.WARNING, says)
    return Finding("ml-worker", Level.OK, "no job waits in vain for it")


def failures_finding(limits: Limits, *, now: datetime) -> Finding:
    failed = Job.objects.filter(state=JobState.FAILED, finished_at__gte=now - limits.failed_within)
    kinds = list(failed.order_by("kind").values_list("kind").annotate(n=Count("pk")))
    if not kinds:
        return Finding("failures", Level.OK, f"no job failed within {duration(limits.failed_within)}")
    named = ", ".join(f"{n} × {kind}" for kind, n in kinds)
    says = f"jobs failed within {duration(limits.failed_within)}: {named}. Each says why on its study's page of jobs"
    return Finding("failures", Level.WARNING, says)


def schedule_finding(limits: Limits, *, now: datetime) -> Finding:
    sent = PeriodicTask.objects.filter(name=SWEEP).values_list("last_run_at", flat=True).first()
    if sent is None:
        return Finding("schedule", Level.CRITICAL, "beat has sent nothing yet: see that it runs")
    says = f"beat wrote down {duration(now - sent)} ago what it sent"
    if now - sent > limits.beat_pauses:
        return Finding("schedule", Level.CRITICAL, f"{says}: see that it runs")
    return Finding("schedule", Level.OK, says)


def sync_finding(limits: Limits, *, now: datetime) -> Finding:
    projects = Project.objects.filter(state=ProjectState.READY, assignment__batch__state=BatchState.OPEN)
    n_projects = projects.count()
    if not n_projects:
        return Finding("sync", Level.OK, "nothing to read: no batch is open in Label Studio")
    late = projects.filter(Q(polled_at=None) | Q(polled_at__lt=now - limits.poll_pauses)).count()
    oldest = projects.aggregate(since=Min("polled_at"))["since"]
    if late:
        since = f"for {duration(now - oldest)}" if oldest else "ever"
        says = (
            f"{late} of {n_projects} projects were not read {since}: see that sync, beat and Label Studio run"
        )
        return Finding("sync", Level.CRITICAL, says)
    trouble = projects.exclude(poll_error="").count()
    if trouble:
        says = f"{trouble} of {n_projects} projects have trouble: the sync page of their study says which"
        return Finding("sync", Level.WARNING, says)
    return Finding("sync", Level.OK, f"{n_projects} projects, all read within {duration(now - oldest)}")


def models_finding(*, now: datetime) -> Finding:
    """How old a model may be is for its study to say, so this only tells."""
    serving = (
        Adapter.objects.filter(state=AdapterState.IN_SERVICE).select_related("study").order_by("study__slug")
    )
    said = []
    for adapter in serving:
        since = adapter.events.values_list("at", flat=True).first() or adapter.created_at
        said.append(f"{adapter.study.slug}: adapter {adapter.number} for {duration(now - since)}")
    return Finding("models", Level.OK, "; ".join(said) or "none in service")
