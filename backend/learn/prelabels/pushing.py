"""Shows suggestions in Label Studio where they belong. Whatever dies in the middle, doing it again leaves each item
that nobody has begun with exactly one prediction of the adapter in service, or with none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from backend.annotate.batches.models import AssignedItem, Assignment, Batch
from backend.annotate.label_studio.server import LabelStudioServer
from backend.annotate.label_studio.values import PredictionsSeen, TaskPrediction, TaskSeen
from backend.annotate.sync.models import Project, ProjectState
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.selectors import item_text
from backend.learn.models.models import Adapter
from backend.learn.prelabels.models import KeptPrediction, Suggestion
from backend.learn.prelabels.predicting import read_kept
from backend.learn.prelabels.scope import suggestion_scope
from backend.learn.prelabels.selectors import conditions_of
from learning.prelabel_experiment.values import Condition
from learning.suggestions.answers import EVERYTHING
from learning.suggestions.encoding import encode_prediction, short_id

# As many as one request of the client carries
CHUNK = 250
Report = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Pushed:
    """How many unbegun items show a suggestion now, how many are blind, and how many somebody had begun."""

    suggested: int = 0
    blind: int = 0
    begun: int = 0

    def __add__(self, other: Pushed) -> Pushed:
        return Pushed(self.suggested + other.suggested, self.blind + other.blind, self.begun + other.begun)


def push_suggestions(
    batch: Batch, adapter: Adapter | None, server: LabelStudioServer, *, now: datetime, report: Report
) -> Pushed:
    """Without an adapter, what was suggested and not begun is taken back."""
    projects = Project.objects.filter(assignment__batch=batch, state=ProjectState.READY)
    markers = {seen.id: seen.marker for seen in server.projects()}
    ready = [
        project
        for project in projects.select_related("assignment")
        # Numbers are given out again by a Label Studio that was set up afresh; repairing comes first then.
        if project.label_studio_id is not None and markers.get(project.label_studio_id) == project.marker
    ]
    share_push = _SharePush(batch, adapter, server, now)
    pushed = Pushed()
    for done, project in enumerate(ready):
        report(done, len(ready))
        pushed += share_push.push(project.assignment, project.label_studio_id or 0)
    report(len(ready), len(ready))
    return pushed


class _Fate(Enum):
    """What became of a prediction that was meant for an item."""

    SHOWN = "shown"
    WITHHELD = "withheld"
    NOTHING = "nothing"


class _SharePush:
    """The suggestions of one batch; each share is another project."""

    def __init__(
        self, batch: Batch, adapter: Adapter | None, server: LabelStudioServer, now: datetime
    ) -> None:
        self._server, self._now = server, now
        self._version = short_id(adapter.adapter_id) if adapter else ""
        self._codebook = codebook_of(batch.edition)
        self._conditions = conditions_of(batch)
        self._kept = _kept_by_item(batch, adapter) if adapter else {}
        self._scope = suggestion_scope(adapter) if adapter else EVERYTHING

    def push(self, share: Assignment, number: int) -> Pushed:
        places = {
            place.item.item_id: place
            for place in share.assigned_items.filter(taken_back_at=None).select_related("item")
        }
        tasks = [task for task in self._server.task_index(number) if task.item in places]
        pushed = Pushed()
        # At least one request, so that the project shows or hides predictions as it should
        for start in range(0, max(len(tasks), 1), CHUNK):
            pushed += self._push_some(number, tasks[start : start + CHUNK], places)
        return pushed

    def _push_some(
        self, number: int, tasks: Sequence[TaskSeen], places: Mapping[str, AssignedItem]
    ) -> Pushed:
        by_task = {task.id: places[task.item] for task in tasks}
        predicted = {
            task: kept
            for task, place in by_task.items()
            if (kept := self._kept.get(place.item_id)) is not None
        }
        self._prepare([(by_task[task], kept) for task, kept in predicted.items()])
        shown = [task for task in predicted if self._condition(by_task[task]) is Condition.SUGGESTED]
        seen = self._server.set_predictions(
            number,
            version=self._version,
            predictions=[self._encode(task, by_task[task], predicted[task]) for task in shown],
            without=[task for task in by_task if task not in set(shown)],
        )
        self._confirm(seen, by_task)
        self._take_back(seen, by_task)
        return Pushed(
            suggested=sum(not each.begun and bool(each.now) for each in seen),
            blind=sum(not each.begun and not each.now for each in seen),
            begun=sum(each.begun for each in seen),
        )

    def _condition(self, place: AssignedItem) -> Condition | None:
        """An item that was never sealed has none, and is shown nothing."""
        return self._conditions.get(place.item_id)

    def _encode(self, task: int, place: AssignedItem, kept: KeptPrediction) -> TaskPrediction:
        prediction = read_kept(kept)
        assert prediction is not None
        suggestion = encode_prediction(self._codebook, item_text(place.item), prediction, self._scope)
        return TaskPrediction(task, suggestion.rows, suggestion.score)

    def _prepare(self, predicted: Sequence[tuple[AssignedItem, KeptPrediction]]) -> None:
        """The rows come first, so that nothing is shown of which Attune does not know."""
        rows = [
            Suggestion(assigned_item=place, prediction=kept, prepared_at=self._now)
            for place, kept in predicted
        ]
        Suggestion.objects.bulk_create(rows, ignore_conflicts=True)

    def _confirm(self, seen: Sequence[PredictionsSeen], by_task: Mapping[int, AssignedItem]) -> None:
        """By what Label Studio had before and has now: both may have been looked at."""
        found = {by_task[each.task_id].pk: each for each in seen}
        waiting = Suggestion.objects.filter(assigned_item__in=list(found), shown_at=None, withheld_at=None)
        fates: dict[_Fate, list[int]] = {fate: [] for fate in _Fate}
        for row in waiting.select_related("prediction__adapter", "assigned_item"):
            fates[self._fate(row, found[row.assigned_item_id])].append(row.pk)
        Suggestion.objects.filter(pk__in=fates[_Fate.SHOWN]).update(shown_at=self._now)
        Suggestion.objects.filter(pk__in=fates[_Fate.WITHHELD]).update(withheld_at=self._now)
        Suggestion.objects.filter(pk__in=fates[_Fate.NOTHING]).delete()

    def _take_back(self, seen: Sequence[PredictionsSeen], by_task: Mapping[int, AssignedItem]) -> None:
        """Of items that nobody has begun: what is neither shown nor withheld any longer, in both conditions alike, so
        that they stay comparable. What came back is there again."""
        now = {by_task[each.task_id].pk: each.now for each in seen if not each.begun}
        rows = Suggestion.objects.filter(assigned_item__in=list(now)).select_related("prediction__adapter")
        is_there: dict[bool, list[int]] = {True: [], False: []}
        for row in rows:
            versions = (self._version,) if row.withheld_at else now[row.assigned_item_id]
            is_there[row.version in versions].append(row.pk)
        gone = Suggestion.objects.filter(pk__in=is_there[False], taken_back_at=None)
        gone.update(taken_back_at=self._now)
        back = Suggestion.objects.filter(pk__in=is_there[True], taken_back_at__isnull=False)
        back.update(taken_back_at=None)

    def _fate(self, row: Suggestion, seen: PredictionsSeen) -> _Fate:
        if row.version in (*seen.before, *seen.now):
            return _Fate.SHOWN
        is_blind = self._condition(row.assigned_item) is Condition.BLIND
        is_todays = row.version == self._version
        return _Fate.WITHHELD if is_blind and is_todays and not seen.begun else _Fate.NOTHING


def _kept_by_item(batch: Batch, adapter: Adapter) -> dict[int, KeptPrediction]:
    """Those with something to suggest."""
    items = AssignedItem.objects.filter(assignment__batch=batch).values("item_id")
    kept = KeptPrediction.objects.filter(adapter=adapter, item__in=items).exclude(content="")
    return {each.item_id: each for each in kept.select_related("adapter")}
