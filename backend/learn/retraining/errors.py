"""What can keep a retraining from being scheduled or started, each under its own name."""

from __future__ import annotations

from collections.abc import Sequence


class RetrainingError(Exception):
    """Something about retraining is not as the caller thought; the message says what to do."""


class AlreadyRetraining(RetrainingError):
    def __init__(self, number: int) -> None:
        super().__init__(
            f"Retraining {number} is under way, and a study trains one model at a time: wait for it, or stop it."
        )


class NothingToLearnFrom(RetrainingError):
    def __init__(self) -> None:
        super().__init__(
            "This study has no codebook yet, so there is nothing to learn: write one and collect judgments first."
        )


class ScheduleOutOfRange(RetrainingError):
    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(" ".join(problems))


class RunLost(RetrainingError):
    def __init__(self, job_id: int) -> None:
        super().__init__(f"Job {job_id} belongs to no retraining any more: start a new one.")


class StepMissed(RetrainingError):
    def __init__(self, number: int, step: str) -> None:
        super().__init__(f"Retraining {number} lacks what the step “{step}” leaves: start a new run.")
