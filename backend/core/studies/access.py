"""Who may do what in a study: the one place that pages, calls and services ask."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponseBase

from backend.core.accounts.access import Door, callers, user_of
from backend.core.accounts.models import AccountRole, User
from backend.core.hooks import Hook
from backend.core.studies.models import Membership, Study, StudyRole

P = ParamSpec("P")
# Called when somebody was let into a study, before the page or call does anything; what it raises is the answer
study_entered: Hook[[HttpRequest, User, Study], None] = Hook()
StudyView = Callable[Concatenate[HttpRequest, Study, P], HttpResponseBase]


SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
# What can be done to a study that is archived
IN_THE_ARCHIVE = re.compile(r"(api/v1/)?studies/<[^/]+>/(archive|restore|copy|copies|delete|deletion)")


class StudyArchived(PermissionDenied):
    """The study can be read and not changed."""

    def __init__(self, study: Study) -> None:
        super().__init__(
            f"“{study.name}” is archived: it can be read, and changed again once it is restored."
        )


def studies_of(user: User) -> QuerySet[Study]:
    """The studies that a person may know of: an admin knows all. One that is being deleted is nobody's."""
    there = Study.objects.filter(deletion_asked_at=None)
    return there if user.is_admin else there.filter(memberships__user=user)


def role_in(user: User, study: Study) -> StudyRole | None:
    """What somebody may: who does both may what a researcher may.

    An account that became an annotator's is no researcher anywhere, whatever a membership says.
    """
    if user.is_admin:
        return StudyRole.RESEARCHER
    membership = Membership.objects.filter(study=study, user=user).first()
    if membership is None:
        return None
    researches = StudyRole(membership.role).researches and user.role != AccountRole.ANNOTATOR
    return StudyRole.RESEARCHER if researches else StudyRole.ANNOTATOR


def study_for(user: User, slug: str, needs: StudyRole) -> Study:
    """An outsider learns nothing (404); a member without the role is told so (403)."""
    study = Study.objects.filter(slug=slug, deletion_asked_at=None).first()
    role = role_in(user, study) if study else None
    if study is None or role is None:
        raise Http404("There is no such study, or you are not a member of it.")
    if needs == StudyRole.RESEARCHER and role != StudyRole.RESEARCHER:
        raise PermissionDenied("Only researchers of this study can do that.")
    return study


def _enter(request: HttpRequest, user: User, slug: str, needs: StudyRole) -> Study:
    study = study_for(user, slug, needs)
    request.study = study  # type: ignore[attr-defined]
    match = request.resolver_match
    is_change = request.method not in SAFE_METHODS
    if study.archived_at and is_change and not (match and IN_THE_ARCHIVE.fullmatch(match.route)):
        raise StudyArchived(study)
    study_entered(request, user, study)
    return study


def study_view(needs: StudyRole) -> Callable[[StudyView[P]], Callable[..., HttpResponseBase]]:
    """Turns the `slug` of the address into a study that this person may enter with this role."""

    def decorate(view: StudyView[P]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def guarded(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponseBase:
            study = _enter(request, user_of(request), slug, needs)
            return view(request, study, **kwargs)  # type: ignore[call-arg]

        return guarded

    return decorate


# Who may make a call about a study: asked before the call's body is read.
def _study_door(needs: StudyRole) -> Door:
    def enter(request: HttpRequest, user: User) -> None:
        match = request.resolver_match
        _enter(request, user, match.kwargs["slug"] if match else "", needs)

    return enter


MEMBER = callers(_study_door(StudyRole.ANNOTATOR))
RESEARCHER = callers(_study_door(StudyRole.RESEARCHER))


def study_of(request: HttpRequest) -> Study:
    """The study that the caller was let into."""
    study: Study = request.study  # type: ignore[attr-defined]
    return study
