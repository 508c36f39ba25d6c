"""Calls that archive, restore, copy and delete a study."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Router, Schema, Status

from backend.core.accounts.access import user_of
from backend.core.jobs.api import JobOut
from backend.core.jobs.models import Job
from backend.core.studies.access import RESEARCHER, study_of
from backend.core.studies.api import StudyOut
from backend.core.studies.models import Study
from backend.operate.erasure.holdings import holdings
from backend.operate.lifecycle import services

router = Router(auth=RESEARCHER)


class CopyIn(Schema):
    name: str = Field(min_length=1, max_length=120)
    with_members: bool = False


class DeleteIn(Schema):
    name: str = Field(description="The study's full name, to be sure.")


class HoldingsOut(Schema):
    counts: dict[str, int] = Field(description="How much of what would go.")


@router.put("archive", response=StudyOut)
def archive_study(request: HttpRequest) -> Study:
    """From then on the study can only be read."""
    return services.archive_study(study=study_of(request), actor=user_of(request), now=timezone.now())


@router.delete("archive", response=StudyOut)
def restore_study(request: HttpRequest) -> Study:
    return services.restore_study(study=study_of(request), actor=user_of(request), now=timezone.now())


@router.post("copies", response={201: StudyOut})
def copy_study(request: HttpRequest, body: CopyIn) -> Status[Study]:
    """Codebook and settings, no texts and no answers."""
    copy = services.copy_study(
        study=study_of(request), actor=user_of(request), now=timezone.now(), **body.model_dump()
    )
    return Status(201, copy)


@router.get("deletion", response=HoldingsOut)
def preview_deletion(request: HttpRequest) -> dict[str, dict[str, int]]:
    """What would be deleted."""
    return {"counts": holdings(study_of(request))}


@router.post("deletion", response={202: JobOut})
def delete_study(request: HttpRequest, body: DeleteIn) -> Status[Job]:
    """For good, with its projects in Label Studio and its files; by admins and by whoever started the study."""
    study, user = study_of(request), user_of(request)
    if not services.may_delete(user, study):
        raise PermissionDenied("Only admins, and whoever started the study, can delete it.")
    job = services.ask_for_deletion(study=study, confirmed_name=body.name, actor=user, now=timezone.now())
    return Status(202, job)
