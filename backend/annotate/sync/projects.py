"""Sees to it that a share has one project in Label Studio, whatever died while it was made.

All projects that are ever made for a share have markers of one family, so that one which nobody remembers is still
known as the share's: what was done there is read, and its annotator gets in at one place only.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from backend.annotate.batches.models import Assignment
from backend.annotate.label_studio.server import LabelStudioServer
from backend.annotate.label_studio.values import ProjectSeen
from backend.annotate.sync.models import Project, ProjectState
from backend.annotate.sync.pull import NOTHING, Pulled, pull_stray

PREFIX = "attune:"


def wanted_project(assignment: Assignment) -> Project:
    """The row comes first: its marker is how a project is found again whose making was cut short."""
    project, _ = Project.objects.get_or_create(assignment=assignment, defaults={"marker": _new_marker()})
    project.assignment = assignment
    return project


def settle_project(
    project: Project,
    server: LabelStudioServer,
    listed: Iterable[ProjectSeen],
    *,
    title: str,
    label_config: str,
    now: datetime,
) -> int:
    """The number of the one project of this share, made now if there is none.

    `listed` may be older than the row: before anything is made, Label Studio is asked again.
    """
    found = _of_share(project, listed) or _of_share(project, server.projects())
    if not found:
        if project.label_studio_id is not None:
            _begin_anew(project)
        server.create_project(title=title, marker=project.marker, label_config=label_config)
        # Looked up once more: a worker that lost this job and does not know it yet may have made one too.
        found = _of_share(project, server.projects())
    kept, *others = found
    for other in others:
        put_away(project, other, server, now=now)
    if (project.marker, project.label_studio_id) != (kept.marker, kept.id):
        project.marker, project.label_studio_id = kept.marker, kept.id
        _forget_reading(project)
    return kept.id


def strays_of(project: Project, listed: Iterable[ProjectSeen]) -> list[ProjectSeen]:
    """Other projects of its share, which a push that was overtaken or a restored Label Studio left behind.

    The row is read after the listing: a marker is stored before a project is made with it, so what is being made
    this moment is no stray. Once the row has a number, another project with the same marker is a double.
    """
    marker, number = Project.objects.values_list("marker", "label_studio_id").get(pk=project.pk)
    return [
        seen
        for seen in _of_share(project, listed)
        if seen.marker != marker or (number is not None and seen.id != number)
    ]


def put_away(project: Project, stray: ProjectSeen, server: LabelStudioServer, *, now: datetime) -> Pulled:
    """Nobody gets in any more; what somebody did there is read, and only an untouched one is deleted."""
    server.remove_seat(stray.id)
    if any(task.annotations + task.skipped + task.drafts for task in server.task_index(stray.id)):
        return pull_stray(project, stray, server, now=now)
    server.delete_project(stray.id)
    return NOTHING


def by_share(listed: Iterable[ProjectSeen]) -> defaultdict[str, list[ProjectSeen]]:
    """By the family of their markers."""
    found: defaultdict[str, list[ProjectSeen]] = defaultdict(list)
    for seen in listed:
        found[family_of(seen.marker)].append(seen)
    return found


def family_of(marker: str) -> str:
    """What the markers of one share have in common.

    >>> family_of("attune:5d1c.9f02"), family_of("attune:5d1c"), family_of("")
    ('attune:5d1c', 'attune:5d1c', '')
    """
    return marker.partition(".")[0]


def unknown_projects(server: LabelStudioServer) -> list[ProjectSeen]:
    """What Attune made and knows nothing of, as after a restore of an older backup of Attune: nothing there is read.

    The rows are read after the listing, as each is stored before its project is made.
    """
    ours = [seen for seen in server.projects() if seen.marker.startswith(PREFIX)]
    known = (
        {family_of(marker) for marker in Project.objects.values_list("marker", flat=True)} if ours else set()
    )
    return [seen for seen in ours if family_of(seen.marker) not in known]


def _of_share(project: Project, listed: Iterable[ProjectSeen]) -> Sequence[ProjectSeen]:
    """First those with the very marker, then those with work, then the one that was known before."""
    family = family_of(project.marker)
    return sorted(
        (seen for seen in listed if family_of(seen.marker) == family),
        key=lambda seen: (
            seen.marker != project.marker,
            -(seen.annotations + seen.skipped),
            seen.id != project.label_studio_id,
            -seen.tasks,
            seen.id,
        ),
    )


def _begin_anew(project: Project) -> None:
    """It is gone from Label Studio: what is made in its place is another project, and changes no answer of this one."""
    project.marker = f"{family_of(project.marker)}.{uuid.uuid4().hex[:12]}"
    project.label_studio_id = None
    project.state = ProjectState.WANTED
    _forget_reading(project, "state")


def _forget_reading(project: Project, *besides: str) -> None:
    """The state stays as it is in the row: who was overtaken would write back an old one, and nobody would poll."""
    project.seat_open = False
    reading = ("read_up_to", "newest_change", "newest_seen_at", "read_whole_at")
    for field in reading:
        setattr(project, field, None)
    project.save(update_fields=["marker", "label_studio_id", "seat_open", *besides, *reading])


def _new_marker() -> str:
    return f"{PREFIX}{uuid.uuid4().hex}"
