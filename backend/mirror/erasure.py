"""Removes a study's texts from Label Studio too: a study that is deleted here must not live on there."""

from __future__ import annotations

from backend.label_studio.errors import ProjectGone
from backend.label_studio.server import LabelStudioServer
from backend.mirror.models import Project
from backend.studies.models import Study


def erase_projects(study: Study, server: LabelStudioServer) -> int:
    """By marker, so that a project whose making was cut short goes too. Returns how many went."""
    markers = set(Project.objects.filter(assignment__batch__study=study).values_list("marker", flat=True))
    erased = 0
    for seen in server.projects() if markers else []:
        if seen.marker in markers:
            try:
                server.delete_project(seen.id)
            except ProjectGone:
                continue
            erased += 1
    return erased
