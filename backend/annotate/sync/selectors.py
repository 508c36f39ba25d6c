"""What pages, calls and commands read about the sync."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, F, Q, QuerySet
from django.shortcuts import get_object_or_404

from backend.annotate.batches.blindness import hidden_items
from backend.annotate.batches.models import BatchState
from backend.annotate.judgments.models import AnnotationVersion, Quarantined, SubmissionState
from backend.annotate.sync.models import Project, ProjectState
from backend.core.accounts.models import User
from backend.core.studies.models import Study

RECENT = 1000


@dataclass(frozen=True)
class ProjectStatus:
    """What is where: given out here, in Label Studio, and synced back."""

    project: Project
    items: int
    submitted: int
    skipped: int
    answered_elsewhere: int
    quarantined: int
    lag: timedelta | None

    @property
    def needs_repair(self) -> bool:
        wanted = self.items - self.answered_elsewhere
        missing = self.project.tasks_there < wanted and self.project.counted_at is not None
        return self.project.state == ProjectState.GONE or missing or self.project.poll_error != ""

    @property
    def lacks_webhooks(self) -> bool:
        return self.project.state == ProjectState.READY and not self.project.has_webhooks

    @property
    def is_waiting(self) -> bool:
        """Not in Label Studio yet."""
        return self.project.state == ProjectState.WANTED


def projects_with_work() -> QuerySet[Project]:
    return Project.objects.select_related(
        "assignment__annotator", "assignment__batch__study", "assignment__batch__edition"
    )


def project_of(study: Study, project_id: int) -> Project:
    return get_object_or_404(projects_with_work(), pk=project_id, assignment__batch__study=study)


def project_statuses(study: Study) -> list[ProjectStatus]:
    """Open batches first; all counts in a fixed number of queries."""
    items = Q(assignment__assigned_items__taken_back_at=None)
    answer = "assignment__assigned_items__submission"
    projects = (
        projects_with_work()
        .filter(assignment__batch__study=study)
        .annotate(
            item_count=Count("assignment__assigned_items", filter=items),
            submitted_count=Count(answer, filter=Q(**{f"{answer}__state": SubmissionState.SUBMITTED})),
            skipped_count=Count(answer, filter=Q(**{f"{answer}__state": SubmissionState.SKIPPED})),
            # In an earlier project that is gone; such items are not asked for again
            elsewhere_count=Count(answer, filter=~Q(**{f"{answer}__version__project_marker": F("marker")})),
        )
        .order_by("-assignment__batch__opened_at", "assignment__pk")
    )
    doubts = _count_by(
        Quarantined.objects.filter(version__assignment__batch__study=study), "version__assignment"
    )
    lags = _lags(study)
    closed_last = sorted(projects, key=lambda project: project.assignment.batch.state == BatchState.CLOSED)
    return [
        ProjectStatus(
            project=project,
            items=project.item_count,
            submitted=project.submitted_count,
            skipped=project.skipped_count,
            answered_elsewhere=project.elsewhere_count,
            quarantined=doubts.get(project.assignment_id, 0),
            lag=lags.get(project.assignment_id),
        )
        for project in closed_last
    ]


def quarantine(study: Study, viewer: User) -> QuerySet[Quarantined]:
    """What came in and cannot be counted, newest first; of items that the viewer may read about."""
    return (
        Quarantined.objects.filter(version__assignment__batch__study=study)
        .exclude(version__item_key__in=hidden_items(viewer, study).values("item_id"))
        .select_related("version__assignment__annotator", "version__assignment__batch", "assigned_item__item")
        .defer("version__body")
        .order_by("-version__seen_at", "-pk")
    )


def last_look(study: Study) -> datetime | None:
    return (
        Project.objects.filter(assignment__batch__study=study, polled_at__isnull=False)
        .order_by("-polled_at")
        .values_list("polled_at", flat=True)
        .first()
    )


def _count_by(rows: QuerySet[Quarantined], by: str) -> dict[int, int]:
    return dict(rows.order_by().values_list(by).annotate(n=Count("pk")))


def _lags(study: Study) -> dict[int, timedelta]:
    """How long the latest change of each share took from Label Studio to here."""
    recent = (
        AnnotationVersion.objects.filter(assignment__batch__study=study)
        .order_by("-pk")
        .annotate(lag=F("seen_at") - F("changed_there_at"))
        .values_list("assignment_id", "lag")[:RECENT]
    )
    lags: dict[int, timedelta] = {}
    for assignment_id, lag in recent:
        lags.setdefault(assignment_id, max(lag, timedelta(0)))
    return lags
