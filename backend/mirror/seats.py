"""Who may get into which project of Label Studio, and what stands above the work there."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.urls import reverse

from backend.accounts.models import User
from backend.batches.models import BatchState
from backend.label_studio.server import LabelStudioServer
from backend.mirror.models import Account, Project
from backend.studies.models import Membership


def may_work(project: Project) -> bool:
    """Only while the batch is open, and the annotator is in it, in the study, and active."""
    assignment = project.assignment
    return (
        assignment.batch.state == BatchState.OPEN
        and assignment.withdrawn_at is None
        and assignment.annotator.is_active
        and Membership.objects.filter(study=assignment.batch.study_id, user=assignment.annotator_id).exists()
    )


def keep_seat(project: Project, server: LabelStudioServer) -> None:
    """Opens or closes the annotator's seat as it should be now."""
    if project.label_studio_id is None:
        return
    study, is_open = project.assignment.batch.study, may_work(project)
    server.set_seat(
        project.label_studio_id,
        account_id=account_of(project.assignment.annotator, server).label_studio_id,
        is_open=is_open,
        return_url=settings.PUBLIC_URL + reverse("batches:work", args=[study.slug]),
        heading=f"{study.name} · {project.assignment.batch.name}",
    )
    Project.objects.filter(pk=project.pk).update(seat_open=is_open)


def account_of(user: User, server: LabelStudioServer) -> Account:
    """Asked for at every use: an account that is there stays as it is, one that was lost is made again."""
    seen = server.ensure_account(key=f"annotator-{user.pk}", name=str(user))
    with transaction.atomic():
        # A Label Studio that was set up afresh counts from one again.
        Account.objects.filter(label_studio_id=seen.id).exclude(user=user).delete()
        account, _ = Account.objects.update_or_create(
            user=user, defaults={"label_studio_id": seen.id, "email": seen.email}
        )
    return account
