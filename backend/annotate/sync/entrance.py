"""The way of an annotator into Label Studio."""

from __future__ import annotations

from backend.annotate.batches.models import AssignedItem, Assignment
from backend.annotate.label_studio.keys import sign_in_url
from backend.annotate.label_studio.server import LabelStudioServer
from backend.annotate.sync.errors import NotThereYet, WorkIsClosed
from backend.annotate.sync.models import Account, Project, ProjectState
from backend.annotate.sync.seats import may_work
from backend.core.accounts.models import User


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
