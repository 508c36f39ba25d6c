"""What a step gives back: a sentence for the run's page, and how the run ends if it ends with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from backend.core.jobs.context import JobContext
from backend.learn.retraining.models import RetrainingRun, RunState


@dataclass(frozen=True, slots=True)
class Ending:
    state: RunState
    words: str


@dataclass(frozen=True, slots=True)
class Done:
    words: str
    ending: Ending | None = None


Step: TypeAlias = Callable[[RetrainingRun, JobContext], Done]
