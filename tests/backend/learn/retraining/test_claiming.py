"""An occasion starts one run, whoever looks, however often and whatever the clock says."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from backend.core.jobs.models import Job
from backend.learn.models.services import promote
from backend.learn.retraining.claiming import start_by_hand, start_if_due, training_of
from backend.learn.retraining.errors import AlreadyRetraining, NothingToLearnFrom, ScheduleOutOfRange
from backend.learn.retraining.models import RetrainingRun, RetrainingSchedule, RunState, ScheduleKind
from backend.learn.retraining.selectors import coming_occasion
from backend.learn.retraining.services import Plan, catch_up, change_schedule
from backend.learn.retraining.words import schedule_words
from tests.backend.decide.releases.fixtures import judged_study
from tests.backend.learn.models.fixtures import release_in, train_tiny
from tests.backend.learn.retraining.fixtures import end, occasions, scheduled
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW, Cast
from tests.examples import examples

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NIGHT = datetime(2026, 3, 2, 2, tzinfo=UTC)


def look(work: CastAtWork, now: datetime) -> RetrainingRun | None:
    """Runs end at once, so that only claims can keep a second one from starting."""
    run = start_if_due(study_id=work.study.pk, now=now)
    if run is not None:
        end(run, now)
    return run


def test_a_night_starts_one_run_with_one_job(work: CastAtWork) -> None:
    scheduled(work)
    assert look(work, NIGHT - HOUR) is None
    run = look(work, NIGHT)
    assert run is not None
    assert (run.number, run.occasion, run.started_by) == (1, "2026-03-02 02:00", None)
    assert (run.job.kind, run.job.study) == ("retrain", work.study)
    assert [look(work, NIGHT + minutes * timedelta(minutes=1)) for minutes in range(0, 1400, 200)] == [
        None
    ] * 7
    assert look(work, NIGHT + DAY) is not None
    assert Job.objects.filter(kind="retrain").count() == 2


def test_of_several_missed_nights_one_is_caught_up(work: CastAtWork) -> None:
    scheduled(work)
    assert [run.occasion for run in catch_up(now=NIGHT + 5 * DAY + 7 * HOUR)] == ["2026-03-07 02:00"]
    end(RetrainingRun.objects.get(), NIGHT)
    assert catch_up(now=NIGHT + 5 * DAY + 8 * HOUR) == []
    assert [run.occasion for run in catch_up(now=NIGHT + 6 * DAY)] == ["2026-03-08 02:00"]


def test_what_fell_due_before_the_schedule_was_set_starts_nothing(work: CastAtWork) -> None:
    scheduled(work, now=NIGHT + HOUR)
    assert look(work, NIGHT + 2 * HOUR) is None


def test_a_clock_that_is_set_back_starts_nothing_again(work: CastAtWork) -> None:
    scheduled(work)
    assert look(work, NIGHT + 3 * DAY) is not None
    for back in (timedelta(minutes=5), HOUR, DAY, 2 * DAY, 30 * DAY):
        assert look(work, NIGHT + 3 * DAY - back) is None
    assert look(work, NIGHT + 4 * DAY) is not None


def test_another_time_zone_does_not_repeat_a_night(work: CastAtWork, settings: Settings) -> None:
    scheduled(work)
    assert look(work, NIGHT) is not None
    for zone in ("Europe/Berlin", "America/New_York", "Asia/Tokyo"):
        settings.TIME_ZONE = zone
        assert look(work, NIGHT + 12 * HOUR) is None
    settings.TIME_ZONE = "America/New_York"
    assert look(work, NIGHT + DAY + 4 * HOUR) is None
    assert look(work, NIGHT + DAY + 5 * HOUR) is not None


@pytest.mark.parametrize(
    ("zone", "month", "day"),
    [
        ("Europe/Berlin", 3, 28),
        ("Europe/Berlin", 10, 24),
        ("America/New_York", 3, 7),
        ("America/New_York", 10, 31),
    ],
)
def test_nights_on_which_the_clock_changes_have_one_run(
    work: CastAtWork, settings: Settings, zone: str, month: int, day: int
) -> None:
    """At the very hour of the schedule, which the clock skips in spring and shows twice in autumn."""
    settings.TIME_ZONE = zone
    start = datetime(2026, month, day, 20, tzinfo=UTC)
    scheduled(work, now=start)
    for quarters in range(3 * 24 * 4):
        look(work, start + quarters * timedelta(minutes=15))
    nights = [(start + number * DAY).date() for number in (1, 2, 3)]
    assert occasions(work.study) == [f"{night} 02:00" for night in nights]


def test_weeks_are_weeks(work: CastAtWork) -> None:
    scheduled(work, Plan(ScheduleKind.WEEKLY, hour=2, weekday=0))
    for day in range(21):
        look(work, NIGHT + day * DAY)
    assert occasions(work.study) == ["2026-03-02 02:00", "2026-03-09 02:00", "2026-03-16 02:00"]


def test_enough_new_final_judgments_start_a_run_and_count_from_there(work: CastAtWork) -> None:
    scheduled(work, Plan(ScheduleKind.JUDGMENTS, enough=11))
    assert look(work, NIGHT) is None
    judged_study(work)
    run = look(work, NIGHT)
    assert run is not None
    # Of twelve items one is disputed
    assert (run.final_judgments, run.occasion) == (11, "new judgments after retraining 0")
    assert look(work, NIGHT + DAY) is None


def test_a_run_begins_from_the_model_in_service_where_the_schedule_says_so(
    cast: Cast, tmp_path: Path
) -> None:
    def planned(plan: Plan) -> RetrainingSchedule:
        return change_schedule(study=cast.study, plan=plan, actor=cast.rosa, now=NOW)

    adapter = train_tiny(release_in(cast.study, tmp_path / "made"), tmp_path)
    further = Plan(ScheduleKind.NIGHTLY, learner="encoder-lora", continues=True)
    assert schedule_words(planned(further)).endswith(", beginning from the model in service")
    assert "parent" not in training_of(cast.study), "none is in service"
    promote(adapter=adapter, report=None, override_reason="To see", actor=None, now=NOW)
    assert training_of(cast.study)["parent"] == adapter.number
    planned(replace(further, learner="encoder-tfidf"))
    assert "parent" not in training_of(cast.study), "that in service is of another kind"
    planned(replace(further, continues=False))
    assert "parent" not in training_of(cast.study)
    with pytest.raises(ScheduleOutOfRange, match="majority always learns anew"):
        planned(replace(further, learner="majority"))


def test_a_run_under_way_lets_the_next_occasion_wait(work: CastAtWork) -> None:
    scheduled(work)
    first = start_if_due(study_id=work.study.pk, now=NIGHT)
    assert first is not None
    assert start_if_due(study_id=work.study.pk, now=NIGHT + DAY) is None
    end(first, NIGHT + DAY + HOUR)
    waited = start_if_due(study_id=work.study.pk, now=NIGHT + DAY + HOUR)
    assert waited is not None
    assert waited.occasion == "2026-03-03 02:00"


def test_what_is_off_starts_nothing_and_what_is_saved_anew_counts_anew(work: CastAtWork) -> None:
    scheduled(work, Plan(ScheduleKind.NIGHTLY, hour=2, is_on=False))
    assert catch_up(now=NIGHT + DAY) == []
    scheduled(work, now=NIGHT + DAY + HOUR)
    assert look(work, NIGHT + DAY + 2 * HOUR) is None
    assert look(work, NIGHT + 2 * DAY) is not None


def test_by_hand_there_is_one_at_a_time(work: CastAtWork) -> None:
    first = start_by_hand(study=work.study, actor=work.cast.rosa, now=NOW)
    with pytest.raises(AlreadyRetraining, match="Retraining 1 is under way"):
        start_by_hand(study=work.study, actor=work.cast.ravi, now=NOW)
    assert Job.objects.filter(kind="retrain").count() == 1
    end(first, NOW, RunState.FAILED)
    assert start_by_hand(study=work.study, actor=work.cast.ravi, now=NOW).number == 2


def test_a_study_without_a_codebook_has_nothing_to_learn(cast: Cast) -> None:
    with pytest.raises(NothingToLearnFrom):
        start_by_hand(study=cast.study, actor=cast.rosa, now=NOW)
    assert not Job.objects.exists()


def test_the_page_names_the_occasion_that_will_really_start(work: CastAtWork) -> None:
    schedule = scheduled(work)
    coming = coming_occasion(schedule, now=NOW)
    assert coming is not None
    assert coming.at == NIGHT
    look(work, NIGHT)
    schedule = RetrainingSchedule.objects.get()
    # A clock that went back by two days: the night that ran does not come again
    coming = coming_occasion(schedule, now=NIGHT - 2 * DAY)
    assert coming is not None
    assert coming.at == NIGHT + DAY


plans = st.one_of(
    st.builds(Plan, st.just(ScheduleKind.NIGHTLY), hour=st.integers(0, 4)),
    st.builds(Plan, st.just(ScheduleKind.WEEKLY), hour=st.integers(0, 4), weekday=st.integers(0, 2)),
)
jumps = st.lists(st.timedeltas(min_value=-3 * DAY, max_value=3 * DAY), max_size=25)
zones = st.sampled_from(["UTC", "Europe/Berlin", "America/New_York"])


@hypothesis_settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(plan=plans, steps=jumps, hops=st.lists(zones, min_size=1, max_size=4))
def test_no_history_of_clocks_and_zones_starts_an_occasion_twice_or_goes_back(
    work: CastAtWork, settings: Settings, plan: Plan, steps: list[timedelta], hops: list[str]
) -> None:
    RetrainingRun.objects.all().delete()
    settings.TIME_ZONE = hops[0]
    now = datetime(2026, 10, 23, tzinfo=UTC)
    scheduled(work, plan, now)
    reached = [now]
    for number, step in enumerate(steps):
        settings.TIME_ZONE = hops[number % len(hops)]
        now += step
        if look(work, now) is not None:
            reached.append(RetrainingSchedule.objects.get().after)
        assert look(work, now) is None
    found = occasions(work.study)
    assert len(found) == len(set(found))
    assert reached == sorted(set(reached))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", [ScheduleKind.NIGHTLY, ScheduleKind.JUDGMENTS])
def test_of_many_beats_at_once_one_starts(work: CastAtWork, kind: ScheduleKind) -> None:
    judged_study(work)
    scheduled(work, Plan(kind, hour=2, enough=1))
    barrier, started, problems = threading.Barrier(8), [], []

    def beat() -> None:
        try:
            barrier.wait()
            found = start_if_due(study_id=work.study.pk, now=NIGHT)
            started.extend([found] if found else [])
        except Exception as problem:
            problems.append(problem)
        finally:
            connection.close()

    threads = [threading.Thread(target=beat) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert len(started) == 1
    assert RetrainingRun.objects.count() == Job.objects.filter(kind="retrain").count() == 1
