"""What a page says about a job's speed can be believed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from backend.core.jobs.models import Job
from backend.core.jobs.selectors import Pace
from backend.core.jobs.views import JobRow


def note(rate: float, *, done: int = 3, total: int | None = 7, unit: str = "steps") -> str:
    job = Job(kind="probe", progress_done=done, progress_total=total, progress_unit=unit)
    return JobRow(job, Pace(rate, timedelta(seconds=5))).note


@pytest.mark.parametrize(
    ("rate", "said"), [(20.0, "20 steps a second"), (0.2, "12 steps a minute"), (0.001, "4 steps an hour")]
)
def test_a_slow_job_is_not_said_to_do_nothing(rate: float, said: str) -> None:
    assert note(rate) == f"3 steps of 7 steps · {said} · 5 s left"


def test_more_than_all_is_not_counted_against_it() -> None:
    assert note(2.0, done=9) == "9 steps · 2 steps a second · 5 s left"
