"""Whatever people, workers and the network do, and in whatever order: one poll later both sides agree."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from backend.accounts.models import User
from backend.judgments.derivation import NO_CHANGES, derive_items
from backend.judgments.models import AnnotationVersion, Quarantined, Submission
from backend.label_studio.errors import LabelStudioUnreachable
from backend.mirror.models import ProjectState
from backend.mirror.polling import read_hinted
from backend.mirror.repair import repair_project
from backend.samples.models import Item
from tests.backend.mirror.sync_bench import Bench
from tests.given_work import CastAtWork
from tests.label_studio_rows import FakeAnnotation, FakeTask, Result

CODES = ("asking-advice", "sharing-emotions")
WRITES = (
    "create_project",
    "ensure_webhook",
    "ensure_account",
    "set_seat",
    "import_tasks",
    "delete_unannotated_tasks",
)
READS = ("projects", "task_index", "latest_change", "changed_tasks", "annotation_exists")
annotators = st.sampled_from(["amal", "bea"])
places = st.integers(0, 4)
ticks = st.sets(st.sampled_from(CODES))
faults = st.lists(
    st.tuples(st.sampled_from(WRITES + READS), st.sampled_from(["before", "middle", "after"])), max_size=3
)


class SyncMachine(RuleBasedStateMachine):
    """Every rule is something that happens in a week of annotation; `work` is set by the test."""

    work: CastAtWork

    @initialize()
    def begin(self) -> None:
        self.scope = transaction.atomic()
        self.scope.__enter__()
        cast = self.work.cast
        self.bench = Bench(self.work, self.work.batch(cast.amal, cast.bea, items=self.work.items[:5]))
        self.is_pushed = False

    def teardown(self) -> None:
        if hasattr(self, "scope"):
            transaction.set_rollback(True)
            self.scope.__exit__(None, None, None)

    @rule(faults=faults)
    def push(self, faults: list[tuple[str, str]]) -> None:
        self._arm(faults)
        with suppress(LabelStudioUnreachable):
            self.bench.push()
        self._disarm()

    @rule()
    def push_in_peace(self) -> None:
        self.bench.push()
        self.is_pushed = True
        for annotator in self._annotators():
            counted = Counter(
                task.item for task in self.bench.server.task_index(self.bench.number(annotator))
            )
            worked_on = {
                task.data["item"] for task in self._tasks(annotator) if task.annotations or task.drafts
            }
            wanted = {item.item_id for item in self.work.items[:5]}
            assert wanted - self._safe_elsewhere(annotator) <= set(counted)
            assert all(n == 1 for item, n in counted.items() if item not in worked_on)

    @precondition(lambda self: self.is_pushed)
    @rule(
        who=annotators,
        place=places,
        codes=ticks,
        flag=st.sampled_from([None, "", "Why?"]),
        late=st.sampled_from([0, 55]),
    )
    def submit(self, who: str, place: int, codes: set[str], flag: str | None, late: int) -> None:
        task, item = self._task(who, place)
        if task is not None:
            with self.bench.server.slow_to_commit(timedelta(seconds=late)):
                self.bench.server.submit(
                    task.id, self._account(who), self.bench.results(item, *codes, flag=flag)
                )

    @precondition(lambda self: self.is_pushed)
    @rule(who=annotators, place=places)
    def skip(self, who: str, place: int) -> None:
        task, _ = self._task(who, place)
        if task is not None:
            self.bench.server.skip(task.id, self._account(who))

    @precondition(lambda self: self.is_pushed)
    @rule(who=annotators, place=places)
    def start(self, who: str, place: int) -> None:
        task, item = self._task(who, place)
        if task is not None:
            self.bench.server.save_draft(task.id, self.bench.results(item))

    @precondition(lambda self: self.is_pushed)
    @rule(who=annotators, place=places)
    def break_something(self, who: str, place: int) -> None:
        task, _ = self._task(who, place)
        if task is not None:
            broken: Result = [{"from_name": "nonsense", "to_name": "post", "type": "choices", "value": {}}]
            self.bench.server.submit(task.id, self._account(who), broken)

    @precondition(lambda self: self.is_pushed)
    @rule(who=annotators, place=places, pick=st.integers(0, 9), codes=ticks, skipped=st.booleans())
    def edit(self, who: str, place: int, pick: int, codes: set[str], skipped: bool) -> None:
        task, item = self._task(who, place)
        if task is not None and task.annotations:
            number = sorted(task.annotations)[pick % len(task.annotations)]
            self.bench.server.change(number, self.bench.results(item, *codes), skipped=skipped)

    @precondition(lambda self: self.is_pushed)
    @rule(who=annotators, place=places, pick=st.integers(0, 9))
    def delete(self, who: str, place: int, pick: int) -> None:
        task, _ = self._task(who, place)
        if task is not None and task.annotations:
            self.bench.server.delete_annotation(sorted(task.annotations)[pick % len(task.annotations)])

    @precondition(lambda self: self.is_pushed)
    @rule(who=annotators, place=places)
    def delete_the_task(self, who: str, place: int) -> None:
        task, _ = self._task(who, place)
        if task is not None:
            self.bench.server.delete_task(task.id)

    @precondition(lambda self: self.is_pushed)
    @rule(owner=annotators, place=places, codes=ticks)
    def interfere(self, owner: str, place: int, codes: set[str]) -> None:
        """Somebody whom the item was not given to."""
        task, item = self._task(owner, place)
        other = "bea" if owner == "amal" else "amal"
        if task is not None:
            self.bench.server.submit(task.id, self._account(other), self.bench.results(item, *codes))

    @rule(seconds=st.sampled_from([1, 30, 90, 700]))
    def wait(self, seconds: int) -> None:
        self.bench.later(seconds=seconds)

    @precondition(lambda self: self.is_pushed)
    @rule(keep=st.floats(0, 1), twice=st.booleans(), backwards=st.booleans())
    def deliver_hints(self, keep: float, twice: bool, backwards: bool) -> None:
        hints = self.bench.server.hints[: int(len(self.bench.server.hints) * keep)] * (2 if twice else 1)
        self.bench.server.hints.clear()
        for hint in reversed(hints) if backwards else hints:
            for annotator in self._annotators():
                project = self.bench.project(annotator)
                if project.label_studio_id == hint.project_id:
                    read_hinted(project, self.bench.server, clock=self.bench.clock)

    @precondition(lambda self: self.is_pushed)
    @rule(faults=faults)
    def poll(self, faults: list[tuple[str, str]]) -> None:
        self._arm(faults)
        self.bench.poll()
        self._disarm()

    @precondition(lambda self: self.is_pushed)
    @rule(who=annotators, faults=faults)
    def repair(self, who: str, faults: list[tuple[str, str]]) -> None:
        self._arm(faults)
        with suppress(LabelStudioUnreachable):
            project = self.bench.project(self._user(who))
            repair_project(
                project.pk, self.bench.server, clock=self.bench.clock, report=lambda done, total: None
            )
        self._disarm()

    @precondition(lambda self: self.is_pushed)
    @rule()
    def poll_in_peace(self) -> None:
        self.bench.poll()
        if any(self.bench.project(annotator).state == ProjectState.GONE for annotator in self._annotators()):
            return
        seen = set(AnnotationVersion.objects.values_list("annotation_id", flat=True))
        for annotator in self._annotators():
            self._assert_agreement(annotator)
            live = {number for task in self._tasks(annotator) for number in task.annotations}
            assert live <= seen
            share = self.bench.share(annotator)
            assert derive_items(assignment=share, item_keys=None, now=self.bench.clock()) == NO_CHANGES

    @invariant()
    def nothing_is_counted_twice(self) -> None:
        if hasattr(self, "bench"):
            quarantined = set(Quarantined.objects.values_list("version_id", flat=True))
            assert quarantined.isdisjoint(Submission.objects.values_list("version_id", flat=True))

    def _assert_agreement(self, annotator: User) -> None:
        """Said anew and simply: of an item's live answers by its annotator the first counts, if it is sound."""
        account = self._account(annotator.username)
        expected: dict[str, str] = {}
        for item in self.work.items[:5]:
            own = [
                annotation
                for task in self._tasks(annotator)
                if task.data["item"] == item.item_id
                for annotation in task.annotations.values()
                if annotation.account_id == account
            ]
            answers = sorted(
                (one for one in own if not one.skipped), key=lambda one: (one.created_at, one.id)
            )
            if answers:
                if not self._is_broken(answers[0]):
                    expected[item.item_id] = "submitted"
            elif own:
                expected[item.item_id] = "skipped"
        found = Submission.objects.filter(assigned_item__assignment=self.bench.share(annotator)).values_list(
            "assigned_item__item__item_id", "state"
        )
        assert dict(found) == expected

    @staticmethod
    def _is_broken(annotation: FakeAnnotation) -> bool:
        return any(row["from_name"] == "nonsense" for row in annotation.result)

    def _safe_elsewhere(self, annotator: User) -> set[str]:
        """Items that were answered in a project which is no more."""
        number = self.bench.number(annotator)
        safe = Submission.objects.filter(assigned_item__assignment=self.bench.share(annotator)).exclude(
            version__project_id=number
        )
        return set(safe.values_list("assigned_item__item__item_id", flat=True))

    def _annotators(self) -> list[User]:
        return [self.work.cast.amal, self.work.cast.bea]

    def _user(self, who: str) -> User:
        user: User = getattr(self.work.cast, who)
        return user

    def _account(self, who: str) -> int:
        return self.bench.account(self._user(who))

    def _tasks(self, annotator: User) -> list[FakeTask]:
        return self.bench.server._tasks_of(self.bench.number(annotator))

    def _task(self, who: str, place: int) -> tuple[FakeTask | None, Item]:
        item = self.work.items[place]
        tasks = [task for task in self._tasks(self._user(who)) if task.data["item"] == item.item_id]
        return (tasks[0] if tasks else None), item

    def _arm(self, faults: list[tuple[str, str]]) -> None:
        for method, moment in faults:
            self.bench.server.fail_next(method, moment)  # type: ignore[arg-type]

    def _disarm(self) -> None:
        self.bench.server._faults.clear()


@pytest.mark.slow
def test_sync(work: CastAtWork) -> None:
    machine = type("Machine", (SyncMachine,), {"work": work})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=60,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
