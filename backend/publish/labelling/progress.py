"""How far a run is, how fast, how long it will take and what it costs, for pages, calls and the terminal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from backend.core.jobs.selectors import job_pace
from backend.core.web.formats import duration, thousands
from backend.publish.labelling.models import LabellingRun, LabellingState
from backend.publish.labelling.selectors import UNDER_WAY, current_state


@dataclass(frozen=True, slots=True)
class RunProgress:
    """`rate` is in texts a second; `machine_seconds` of one machine, whose workers share its time.

    Costs are in the currency of the price that was given, None where none was or nothing is labelled yet.
    """

    run: LabellingRun
    state: LabellingState
    n_workers: int
    rate: float | None
    time_left: timedelta | None
    cost_so_far: float | None
    cost_per_thousand: float | None
    cost_expected: float | None

    @property
    def is_under_way(self) -> bool:
        return self.state in UNDER_WAY

    @property
    def can_resume(self) -> bool:
        return self.state in (LabellingState.PAUSED, LabellingState.FAILED, LabellingState.CANCELLED)

    @property
    def can_cancel(self) -> bool:
        return self.state not in (LabellingState.FINISHED, LabellingState.CANCELLED)

    @property
    def tone(self) -> str:
        return _TONES[self.state]

    @property
    def what(self) -> str:
        """What is being done."""
        job = self.run.job
        return (job.progress_note if job else "") or "Waiting for a worker"

    @property
    def note(self) -> str:
        parts = [f"{thousands(self.run.n_labelled)} of {thousands(self.run.n_units)} texts"]
        if self.rate:
            parts.append(f"{self.rate:,.1f} a second")
        if self.time_left is not None:
            parts.append(f"{duration(self.time_left)} left")
        return " · ".join(parts)

    @property
    def cost_words(self) -> str:
        return "" if self.cost_per_thousand is None else money(self.cost_per_thousand)

    @property
    def cost_note(self) -> str:
        """Of all texts, as far as one can tell from those that are labelled."""
        if self.cost_expected is None or self.cost_so_far is None:
            return ""
        if self.state == LabellingState.FINISHED:
            return f"{money(self.cost_so_far)} in all"
        return f"{money(self.cost_so_far)} so far, about {money(self.cost_expected)} in all"

    @property
    def error(self) -> str:
        return self.run.job.error if self.run.job and self.state == LabellingState.FAILED else ""


_TONES = {
    LabellingState.WAITING: "neutral",
    LabellingState.RUNNING: "accent",
    LabellingState.PAUSED: "warn",
    LabellingState.FINISHED: "good",
    LabellingState.FAILED: "bad",
    LabellingState.CANCELLED: "neutral",
}


def money(amount: float) -> str:
    """To the hundredth, and small amounts as exactly as one can tell.

    >>> money(1234.5), money(0.00213), money(0.0)
    ('1,234.50', '0.0021', '0.00')
    """
    return f"{amount:,.2f}" if amount >= 0.1 or amount < 1e-6 else f"{Decimal(f'{amount:.2g}'):f}"


def progress_of(run: LabellingRun, *, now: datetime) -> RunProgress:
    state = current_state(run)
    is_under_way = state in UNDER_WAY
    pace = job_pace(run.job, now=now) if run.job and is_under_way else None
    so_far = _cost(run)
    per_text = so_far / run.n_labelled if so_far is not None and run.n_labelled else None
    return RunProgress(
        run=run,
        state=state,
        n_workers=run.n_workers if is_under_way else 0,
        rate=pace.rate if pace else None,
        time_left=pace.time_left if pace else None,
        cost_so_far=so_far,
        cost_per_thousand=None if per_text is None else 1000 * per_text,
        cost_expected=None if per_text is None else per_text * run.n_units,
    )


def _cost(run: LabellingRun) -> float | None:
    if run.price_per_hour is None or not run.n_labelled:
        return None
    return float(run.price_per_hour) * run.seconds_worked / 3600
