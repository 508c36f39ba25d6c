"""Every project gets its turn, whatever is wrong with the others; nothing stays behind for good."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from backend.annotate.label_studio.errors import LabelStudioRefused, LabelStudioUnreachable
from backend.annotate.label_studio.values import TaskChanged
from backend.annotate.sync.models import Project
from backend.annotate.sync.polling import PATIENCE, READ_WHOLE_EVERY
from backend.annotate.sync.selectors import project_statuses
from backend.core.studies.models import StudyRole
from backend.core.studies.services import set_member
from tests.backend.annotate.sync.sync_bench import Bench
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW

ADVICE, EMOTIONS = "asking-advice", "sharing-emotions"


@pytest.fixture
def pushed(bench: Bench) -> Bench:
    bench.push()
    return bench


class Stubborn:
    """Breaks the listing of some projects."""

    def __init__(self, bench: Bench, broken: set[int], error: Exception) -> None:
        self.listing, self.broken, self.error = bench.server.changed_tasks, broken, error
        bench.server.changed_tasks = self  # type: ignore[method-assign]

    def __call__(self, project_id: int, *, after: datetime | None) -> Iterator[TaskChanged]:
        if project_id in self.broken:
            raise self.error
        return self.listing(project_id, after=after)


def test_projects_that_never_answer_do_not_keep_the_others_waiting(work: CastAtWork) -> None:
    cast = work.cast
    bench = Bench(work, work.batch(cast.amal, cast.bea, cast.chen, items=work.items[:2]))
    bench.push()
    more = Bench(work, work.batch(cast.amal, cast.bea, items=work.items[2:4], name="Batch 2"), bench.server)
    more.push()
    broken = {bench.number(each) for each in (cast.amal, cast.bea, cast.chen)}
    assert len(broken) == PATIENCE
    Stubborn(bench, broken, LabelStudioUnreachable("list changed tasks", "status 500", status=500))
    more.submit(cast.bea, work.items[2], ADVICE)
    for _ in range(2):
        bench.poll()
        bench.later(seconds=15)
    assert more.judged(cast.bea) == {work.items[2].item_id: {ADVICE}}
    assert Project.objects.exclude(poll_error="").count() == PATIENCE


def test_a_fault_of_ours_in_one_project_is_noted_without_a_text_and_the_rest_is_read(
    pushed: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    amal, bea, item = pushed.work.cast.amal, pushed.work.cast.bea, pushed.work.items[0]
    Stubborn(pushed, {pushed.number(amal)}, ValueError("I feel lost at work today"))
    pushed.submit(bea, item, ADVICE)
    pushed.poll()
    assert pushed.judged(bea) == {item.item_id: {ADVICE}}
    assert "unexpected error" in pushed.project(amal).poll_error
    assert "lost at work" not in caplog.text + pushed.project(amal).poll_error


def test_an_edit_behind_a_clock_that_was_set_back_is_found_by_reading_all(pushed: Bench) -> None:
    amal, item = pushed.work.cast.amal, pushed.work.items[0]
    pushed.later(minutes=30)
    annotation = pushed.submit(amal, item, ADVICE)
    pushed.poll()
    pushed.later(minutes=2)
    pushed.poll()
    with pushed.server.slow_to_commit(timedelta(minutes=20)):
        pushed.server.change(annotation, pushed.results(item, EMOTIONS))
    pushed.later(minutes=6)
    pushed.poll()
    assert pushed.judged(amal) == {item.item_id: {ADVICE}}
    pushed.server.now += READ_WHOLE_EVERY
    pushed.poll()
    assert pushed.judged(amal) == {item.item_id: {EMOTIONS}}


def test_who_becomes_a_researcher_loses_the_seat(pushed: Bench) -> None:
    cast = pushed.work.cast
    cast.bea.role = cast.rosa.role
    cast.bea.save()
    set_member(study=pushed.work.study, user=cast.bea, role=StudyRole.RESEARCHER, actor=cast.rosa, now=NOW)
    pushed.poll()
    assert not pushed.server.seats[pushed.number(cast.bea)].is_open
    assert pushed.server.seats[pushed.number(cast.amal)].is_open


def test_a_seat_that_was_set_wrongly_there_is_put_right_at_the_next_count(pushed: Bench) -> None:
    amal = pushed.work.cast.amal
    seat = pushed.server.seats[pushed.number(amal)]
    pushed.server.set_seat(
        pushed.number(amal),
        account_id=pushed.account(pushed.work.cast.bea),
        is_open=False,
        return_url=seat.return_url,
        heading="",
    )
    pushed.later(minutes=6)
    pushed.poll()
    assert pushed.server.seats[pushed.number(amal)] == seat


@pytest.mark.parametrize(
    "refusal",
    [
        LabelStudioRefused("set a webhook", 403),
        LabelStudioUnreachable("set a webhook", "status 500", status=500),
    ],
)
def test_without_webhooks_all_the_rest_works_and_the_sync_page_says_so(
    bench: Bench, refusal: Exception
) -> None:
    granting = bench.server.ensure_webhook

    def refuse(project_id: int, *, url: str, secret: str) -> None:
        raise refusal

    bench.server.ensure_webhook = refuse  # type: ignore[method-assign]
    bench.push()
    amal, item = bench.work.cast.amal, bench.work.items[0]
    bench.submit(amal, item, ADVICE)
    bench.poll()
    assert bench.judged(amal) == {item.item_id: {ADVICE}}
    assert all(status.lacks_webhooks for status in project_statuses(bench.work.study))
    bench.server.ensure_webhook = granting  # type: ignore[method-assign]
    bench.later(minutes=6)
    bench.poll()
    assert not any(status.lacks_webhooks for status in project_statuses(bench.work.study))
    assert len(bench.server.webhooks(bench.number(amal))) == 1
