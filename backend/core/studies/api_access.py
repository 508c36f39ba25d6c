"""Who may make a call about a study: asked before the call's body is read."""

from __future__ import annotations

from django.http import HttpRequest

from backend.core.accounts.access import Door, callers
from backend.core.accounts.models import User
from backend.core.studies.access import study_for
from backend.core.studies.models import Study, StudyRole


def _study_door(needs: StudyRole) -> Door:
    def enter(request: HttpRequest, user: User) -> None:
        match = request.resolver_match
        request.study = study_for(user, match.kwargs["slug"] if match else "", needs)  # type: ignore[attr-defined]

    return enter


MEMBER = callers(_study_door(StudyRole.ANNOTATOR))
RESEARCHER = callers(_study_door(StudyRole.RESEARCHER))


def study_of(request: HttpRequest) -> Study:
    """The study that the caller was let into."""
    study: Study = request.study  # type: ignore[attr-defined]
    return study
