"""What changes a study and its membership; each change leaves a line in the study's history."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.text import slugify

from backend.core.accounts.models import AccountRole, User
from backend.core.studies.models import RESEARCHING, Event, Membership, Study, StudyRole


class StudyError(Exception):
    """A change to a study that cannot be made; the message says why."""


@transaction.atomic
def create_study(*, name: str, description: str, created_by: User, now: datetime) -> Study:
    if not created_by.may_start_studies:
        raise StudyError("Only researchers and admins can start a study.")
    study = Study.objects.create(
        name=name.strip(),
        slug=_free_slug(name),
        description=description,
        created_by=created_by,
        created_at=now,
    )
    Membership.objects.create(study=study, user=created_by, role=StudyRole.RESEARCHER, added_at=now)
    record_event(study=study, actor=created_by, summary="Started the study", now=now)
    return study


def _free_slug(name: str) -> str:
    base = slugify(name)[:50].strip("-")
    if not base:
        raise StudyError("A study's name needs at least one letter or digit.")
    taken = set(Study.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    if base not in taken:
        return base
    return next(slug for number in range(2, len(taken) + 3) if (slug := f"{base}-{number}") not in taken)


@transaction.atomic
def update_study(
    *,
    study: Study,
    name: str,
    description: str,
    remind_days_before: int | None = None,
    actor: User,
    now: datetime,
) -> Study:
    """The address (slug) stays, so that links in papers and notebooks stay good. Without a number of days nobody is
    reminded of batches."""
    if not slugify(name):
        raise StudyError("A study's name needs at least one letter or digit.")
    study.name, study.description, study.remind_days_before = name.strip(), description, remind_days_before
    study.save(update_fields=["name", "description", "remind_days_before"])
    record_event(study=study, actor=actor, summary="Changed the study's name or description", now=now)
    return study


@transaction.atomic
def set_member(*, study: Study, user: User, role: StudyRole, actor: User, now: datetime) -> Membership:
    if role.researches and user.role == AccountRole.ANNOTATOR:
        raise StudyError(f"{user} has an annotator's account and cannot be a researcher of a study.")
    if not role.researches:
        _keep_one_researcher(study, user)
    membership, created = Membership.objects.update_or_create(
        study=study, user=user, defaults={"role": role}, create_defaults={"role": role, "added_at": now}
    )
    verb = "Added" if created else "Made"
    record_event(study=study, actor=actor, summary=f"{verb} {user} as {role.label.lower()}", now=now)
    return membership


@transaction.atomic
def remove_member(*, study: Study, user: User, actor: User, now: datetime) -> None:
    _keep_one_researcher(study, user)
    deleted, _ = Membership.objects.filter(study=study, user=user).delete()
    if not deleted:
        raise StudyError(f"{user} is not a member of this study.")
    record_event(study=study, actor=actor, summary=f"Removed {user} from the study", now=now)


def _keep_one_researcher(study: Study, leaving: User) -> None:
    researchers = Membership.objects.select_for_update().filter(study=study, role__in=RESEARCHING)
    if {membership.user_id for membership in researchers} == {leaving.pk}:
        raise StudyError(f"{leaving} is the only researcher of this study: add another one first.")


def record_event(*, study: Study, actor: User | None, summary: str, now: datetime) -> Event:
    return Event.objects.create(study=study, actor=actor, summary=summary[:300], at=now)
