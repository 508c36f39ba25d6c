"""Where a request leads: the project behind a task, an annotation or a draft, and whose work that is."""

from dataclasses import dataclass

from django.db.models import Q
from tasks.models import Annotation, AnnotationDraft, Prediction, Task

from attune_access.models import Seat
from attune_access.refusals import NothingHere, SeatClosed


@dataclass(frozen=True)
class Place:
    """The project, and the task if there is one, as seen by one person."""

    user_id: int
    project_id: int
    task_id: int | None = None

    def has_task(self, task_id: int) -> bool:
        if self.task_id is not None:
            return task_id == self.task_id
        return Task.objects.filter(pk=task_id, project_id=self.project_id).exists()

    def has_prediction(self, prediction_id: int) -> bool:
        """Where predictions are not shown, there are none to begin from."""
        shown = Prediction.objects.filter(task_id=self.task_id, task__project__show_collab_predictions=True)
        return shown.filter(pk=prediction_id).exists()

    def has_own_annotation(self, annotation_id: int) -> bool:
        own = Annotation.objects.filter(task_id=self.task_id, completed_by_id=self.user_id)
        return own.filter(pk=annotation_id).exists()

    def has_no_foreign_draft(self, draft_id: int) -> bool:
        """Own or gone: who submits again, because the first answer was lost, names a draft that went with it."""
        own = Q(task_id=self.task_id, user_id=self.user_id)
        return not AnnotationDraft.objects.filter(~own, pk=draft_id).exists()


def open_seat(place: Place) -> Seat:
    seat = Seat.objects.filter(project_id=place.project_id, user_id=place.user_id).first()
    if seat is None:
        raise NothingHere
    if not seat.is_open:
        raise SeatClosed(seat.return_url)
    return seat


def newest_seat(user_id: int) -> Seat | None:
    """The one to lead back to, where nothing says which."""
    return Seat.objects.filter(user_id=user_id).order_by("-is_open", "-pk").first()


def place_of_task(user_id: int, task_id: int) -> Place:
    return _place(user_id, Task.objects.filter(pk=task_id).values_list("project_id", "pk").first())


def place_of_own_annotation(user_id: int, annotation_id: int) -> Place:
    own = Annotation.objects.filter(pk=annotation_id, completed_by_id=user_id)
    return _place(user_id, own.values_list("task__project_id", "task_id").first())


def place_of_own_draft(user_id: int, draft_id: int) -> Place:
    own = AnnotationDraft.objects.filter(pk=draft_id, user_id=user_id)
    return _place(user_id, own.values_list("task__project_id", "task_id").first())


def _place(user_id: int, found: tuple | None) -> Place:
    if found is None or found[0] is None:
        raise NothingHere
    return Place(user_id, *found)
