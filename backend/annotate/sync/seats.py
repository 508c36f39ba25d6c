"""Who may get into which project of Label Studio, and what stands above the work there."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.urls import reverse

from backend.annotate.batches.candidates import is_annotator
from backend.annotate.batches.models import AssignedItem, Assignment, BatchState
from backend.annotate.label_studio.keys import sign_in_url
from backend.annotate.label_studio.server import LabelStudioServer
from backend.annotate.sync.errors import NotThereYet, WorkIsClosed
from backend.annotate.sync.models import Account, Project, ProjectState
from backend.core.accounts.models import User


def may_work(assignment: Assignment) -> bool:
    """Only while the batch is open, the study not archived, and the annotator in the batch and still an annotator."""
    return (
        assignment.batch.state == BatchState.OPEN
        and assignment.batch.study.archived_at is None
        and assignment.withdrawn_at is None
        and is_annotator(assignment.annotator, assignment.batch.study)
    )


def keep_seat(project: Project, server: LabelStudioServer) -> None:
    """Opens or closes the annotator's seat as it should be now."""
    if project.label_studio_id is None:
        return
    # As it is now: what was read at the start of a long push may be over.
    assignment = Assignment.objects.select_related("batch__study", "annotator").get(pk=project.assignment_id)
    study, is_open = assignment.batch.study, may_work(assignment)
    server.set_seat(
        project.label_studio_id,
        account_id=account_of(assignment.annotator, server).label_studio_id,
        is_open=is_open,
        return_url=settings.PUBLIC_URL + reverse("batches:work", args=[study.slug]),
        heading=f"{study.name} · {assignment.batch.name}",
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


def entrance_for(assignment: Assignment, place: AssignedItem | None, server: LabelStudioServer) -> str:
    """A link that is good once, for a minute: to the next item of the share, or to one that was done before."""
    if not may_work(assignment):
        raise WorkIsClosed(f"“{assignment.batch.name}” is not open for you at the moment.")
    project = Project.objects.filter(assignment=assignment, state=ProjectState.READY).first()
    account = Account.objects.filter(user=assignment.annotator_id).first()
    if project is None or account is None:
        raise NotThereYet(
            f"“{assignment.batch.name}” is still being prepared in Label Studio. Try again in a minute."
        )
    return sign_in_url(account_id=account.label_studio_id, next_path=_path(project, place, server))


def _path(project: Project, place: AssignedItem | None, server: LabelStudioServer) -> str:
    base = f"/projects/{project.label_studio_id}/data"
    if place is None:
        return f"{base}?labeling=1"
    # Asked for and not remembered: Label Studio gives the number of a deleted task to another one.
    index = server.task_index(project.label_studio_id or 0, item=place.item.item_id)
    tasks = sorted(index, key=lambda task: (-(task.annotations + task.skipped), task.id))
    if not tasks:
        raise NotThereYet(
            "This item is not in Label Studio any more. Ask a researcher of the study to repair the batch."
        )
    return f"{base}?task={tasks[0].id}"


def own_assignment(user: User, study_id: int, assignment_id: int) -> Assignment | None:
    """Somebody else's share does not exist for anyone, researchers included: nobody works in another's name."""
    return (
        Assignment.objects.filter(pk=assignment_id, annotator=user, batch__study=study_id)
        .select_related("batch")
        .first()
    )
