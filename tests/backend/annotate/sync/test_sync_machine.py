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
    rule,
    run_state_machine_as_test,
)

from backend.annotate.judgments.derivation import NO_CHANGES, derive_items
from backend.annotate.judgments.models import AnnotationVersion, Quarantined, Submission
from backend.annotate.label_studio.errors import LabelStudioUnreachable, ProjectGone
from backend.annotate.sync.models import ProjectState
from backend.annotate.sync.polling import read_after_webhook
from backend.annotate.sync.repair import repair_project
from backend.core.accounts.models import User
from backend.design.samples.models import Item
from tests.backend.annotate.sync.sync_answers import SKIPPED, Answer, is_broken, meant, stored
from tests.backend.annotate.sync.sync_bench import Bench
from tests.batch_fixtures import CastAtWork
from tests.examples import examples
from tests.label_studio_rows import FakeProject, FakeTask, Result

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


# What seldom happens, so that there is something to lose when it does
rarely = st.sampled_from([False, False, False, False, True])


class SyncMachine(RuleBasedStateMachine):
    """Every rule is something that happens in a week of annotation; `work` is set by the test."""

    work: CastAtWork

    @initialize()
    def begin(self) -> None:
        self.scope = transaction.atomic()
        self.scope.__enter__()
        cast = self.work.cast
        self.bench = Bench(self.work, self.work.batch(cast.amal, cast.bea, items=self.work.items[:5]))
        self.safe: dict[str, dict[str, Answer]] = {"amal": {}, "bea": {}}
        self.bench.push()

    def teardown(self) -> None:
        if hasattr(self, "scope"):
            transaction.set_rollback(True)
            self.scope.__exit__(None, None, None)

    @rule(faults=faults)
    def push(self, faults: list[tuple[str, str]]) -> None:
        self._set_faults(faults)
        with suppress(LabelStudioUnreachable):
            self.bench.push()
        self._disarm()

    @rule(
        during=st.sampled_from(["create_project", "import_tasks", "task_index", "set_seat"]),
        then=st.lists(st.sampled_from([*WRITES, "update_project"]), max_size=2),
    )
    def push_while_another_is_pushing(self, during: str, then: list[str]) -> None:
        """A worker that lost its job and does not know it yet; it may die when the other has done all of it."""

        def overtake() -> None:
            self.bench.push()
            self._set_faults([(method, "before") for method in then])

        self.bench.server.meanwhile(during, overtake)
        # A double that one of them just deleted is gone for the other, which then gives up
        with suppress(ProjectGone, LabelStudioUnreachable):
            self.bench.push()
        self._disarm()

    @rule()
    def push_in_peace(self) -> None:
        self.bench.push()
        markers = Counter(seen.marker for seen in self.bench.server.projects())
        for annotator in self._annotators():
            assert markers[self.bench.project(annotator).marker] == 1
            is_withdrawn = self.bench.share(annotator).withdrawn_at is not None
            own = [] if is_withdrawn else [self.bench.number(annotator)]
            assert self.bench.open_projects(annotator) == own
            counted = Counter(task.data["item"] for task in self._tasks(annotator))
            worked_on = {
                task.data["item"] for task in self._tasks(annotator) if task.annotations or task.drafts
            }
            wanted = {item.item_id for item in self.work.items[:5]}
            assert wanted - set(self.safe[annotator.username]) <= set(counted)
            assert all(n == 1 for item, n in counted.items() if item not in worked_on)

    @rule(who=annotators, really=rarely)
    def lose_a_project(self, who: str, really: bool) -> None:
        """Deleted by hand, in the owner's browser."""
        project = self._there(self._user(who))
        if really and project is not None:
            self._note_what_is_safe(who)
            self.bench.server.delete_project(project.id)

    @rule(really=rarely, foreign=st.integers(0, 2))
    def lose_everything(self, really: bool, foreign: int) -> None:
        """Label Studio is set up afresh, and gives its numbers out again, perhaps to somebody else first."""
        if not really:
            return
        for who in self.safe:
            self._note_what_is_safe(who)
        self.bench.server.set_up_afresh()
        self.bench.server.calls.clear()
        for number in range(foreign):
            self.bench.server.create_project(
                title="Theirs", marker=f"theirs {number}", label_config="<View/>"
            )

    @rule(who=annotators, is_withdrawn=st.booleans())
    def withdraw_or_restore(self, who: str, is_withdrawn: bool) -> None:
        share = self.bench.share(self._user(who))
        share.withdrawn_at = self.bench.clock() if is_withdrawn else None
        share.save()

    @rule(
        answers=st.lists(st.tuples(annotators, places, ticks), min_size=1, max_size=5),
        flag=st.sampled_from([None, "", "Why?"]),
        late=st.sampled_from([0, 55]),
    )
    def submit(self, answers: list[tuple[str, int, set[str]]], flag: str | None, late: int) -> None:
        for who, place, codes in answers:
            with self.bench.server.slow_to_commit(timedelta(seconds=late)):
                self._submit(who, place, codes, flag)

    @rule(codes=st.lists(ticks, min_size=10, max_size=10))
    def work_a_whole_day(self, codes: list[set[str]]) -> None:
        """Both answer all that is open, and it is read."""
        for who in self.safe:
            for place in range(5):
                self._submit(who, place, codes.pop(), None)
        self.bench.poll()

    @rule(who=annotators, place=places)
    def skip(self, who: str, place: int) -> None:
        task, _ = self._task(who, place)
        if task is not None:
            self.bench.server.skip(task.id, self._account(who))

    @rule(who=annotators, place=places)
    def start(self, who: str, place: int) -> None:
        task, item = self._task(who, place)
        if task is not None:
            self.bench.server.save_draft(task.id, self.bench.results(item))

    @rule(who=annotators, place=places)
    def break_something(self, who: str, place: int) -> None:
        task, _ = self._task(who, place)
        if task is not None:
            broken: Result = [{"from_name": "nonsense", "to_name": "post", "type": "choices", "value": {}}]
            self.bench.server.submit(task.id, self._account(who), broken)

    @rule(who=annotators, place=places, pick=st.integers(0, 9), codes=ticks, skipped=st.booleans())
    def edit(self, who: str, place: int, pick: int, codes: set[str], skipped: bool) -> None:
        task, item = self._task(who, place)
        if task is not None and task.annotations:
            number = sorted(task.annotations)[pick % len(task.annotations)]
            self.bench.server.change(number, self.bench.results(item, *codes), skipped=skipped)

    @rule(who=annotators, place=places, pick=st.integers(0, 9))
    def delete(self, who: str, place: int, pick: int) -> None:
        task, _ = self._task(who, place)
        if task is not None and task.annotations:
            self.bench.server.delete_annotation(sorted(task.annotations)[pick % len(task.annotations)])

    @rule(who=annotators, place=places)
    def delete_the_task(self, who: str, place: int) -> None:
        task, _ = self._task(who, place)
        if task is not None:
            self.bench.server.delete_task(task.id)

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

    @rule(keep=st.floats(0, 1), twice=st.booleans(), backwards=st.booleans())
    def deliver_webhooks(self, keep: float, twice: bool, backwards: bool) -> None:
        webhooks = self.bench.server.calls[: int(len(self.bench.server.calls) * keep)] * (2 if twice else 1)
        self.bench.server.calls.clear()
        for webhook in reversed(webhooks) if backwards else webhooks:
            for annotator in self._annotators():
                project = self.bench.project(annotator)
                if project.label_studio_id == webhook.project_id and project.state == ProjectState.READY:
                    read_after_webhook(project, self.bench.server, clock=self.bench.clock)

    @rule(faults=faults)
    def poll(self, faults: list[tuple[str, str]]) -> None:
        self._set_faults(faults)
        self.bench.poll()
        self._disarm()

    @rule(who=annotators, faults=faults)
    def repair(self, who: str, faults: list[tuple[str, str]]) -> None:
        self._set_faults(faults)
        with suppress(LabelStudioUnreachable, ProjectGone):
            project = self.bench.project(self._user(who))
            repair_project(
                project.pk, self.bench.server, clock=self.bench.clock, report=lambda done, total: None
            )
        self._disarm()

    @rule()
    def poll_in_peace(self) -> None:
        """Long enough after the last count for the next one."""
        self.bench.later(minutes=6)
        self.bench.poll()
        seen = set(AnnotationVersion.objects.values_list("project_marker", "annotation_id"))
        for annotator in self._annotators():
            assert stored(self.bench.share(annotator)) == self._expected(annotator)
            marker = self.bench.project(annotator).marker
            live = {(marker, number) for task in self._tasks(annotator) for number in task.annotations}
            assert live <= seen
            share = self.bench.share(annotator)
            assert derive_items(assignment=share, item_keys=None, now=self.bench.clock()) == NO_CHANGES
            if self.bench.project(annotator).state == ProjectState.READY:
                assert self._there(annotator) is not None
                seat = self.bench.server.seats[self.bench.number(annotator)]
                assert seat.is_open is (share.withdrawn_at is None)

    @invariant()
    def nothing_is_counted_twice(self) -> None:
        if hasattr(self, "bench"):
            quarantined = set(Quarantined.objects.values_list("version_id", flat=True))
            assert quarantined.isdisjoint(Submission.objects.values_list("version_id", flat=True))

    def _submit(self, who: str, place: int, codes: set[str], flag: str | None) -> None:
        task, item = self._task(who, place)
        if task is not None:
            self.bench.server.submit(task.id, self._account(who), self.bench.results(item, *codes, flag=flag))

    def _expected(self, annotator: User) -> dict[str, Answer]:
        """Said anew and simply: of an item's live answers by its annotator the first counts, if it is sound.

        What was safe here when its project was lost stays, and is not asked for again.
        """
        account = self._account(annotator.username)
        expected = dict(self.safe[annotator.username])
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
                if not is_broken(answers[0]):
                    expected[item.item_id] = meant(answers[0])
            elif own:
                expected[item.item_id] = SKIPPED
        return expected

    def _note_what_is_safe(self, who: str) -> None:
        self.safe[who] = stored(self.bench.share(self._user(who)))

    def _annotators(self) -> list[User]:
        return [self.work.cast.amal, self.work.cast.bea]

    def _user(self, who: str) -> User:
        user: User = getattr(self.work.cast, who)
        return user

    def _account(self, who: str) -> int:
        return self.bench.account(self._user(who))

    def _there(self, annotator: User) -> FakeProject | None:
        marker = self.bench.project(annotator).marker
        found = (project for project in self.bench.server._projects.values() if project.marker == marker)
        return next(found, None)

    def _tasks(self, annotator: User) -> list[FakeTask]:
        project = self._there(annotator)
        return self.bench.server._tasks_of(project.id) if project else []

    def _task(self, who: str, place: int) -> tuple[FakeTask | None, Item]:
        """None where nobody has been let in yet."""
        item, project = self.work.items[place], self._there(self._user(who))
        if project is None or project.id not in self.bench.server.seats:
            return None, item
        tasks = [task for task in self._tasks(self._user(who)) if task.data["item"] == item.item_id]
        return (tasks[0] if tasks else None), item

    def _set_faults(self, faults: list[tuple[str, str]]) -> None:
        for method, moment in faults:
            self.bench.server.fail_next(method, moment)  # type: ignore[arg-type]

    def _disarm(self) -> None:
        self.bench.server._faults.clear()
        self.bench.server._meanwhile.clear()


@pytest.mark.slow
@pytest.mark.hypothesis
def test_sync(work: CastAtWork) -> None:
    machine = type("Machine", (SyncMachine,), {"work": work})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples(25, soak=2000),
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
