"""What can go wrong with a task of the ML backend, each under its own name."""

from __future__ import annotations


class TaskFailed(Exception):
    """The ML backend said why it could not do what it was asked for."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The ML backend could not do it: {reason}")


class OtherResult(Exception):
    def __init__(self) -> None:
        super().__init__(
            "The ML backend answered something else than it was asked: see that all processes run the same version, "
            "then try again."
        )
