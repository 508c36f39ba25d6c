"""What can go wrong with a plan, each under its own name."""

from __future__ import annotations

from collections.abc import Iterable


class PreregistrationError(Exception):
    """A plan that cannot be frozen; the message says why and what to do."""


class LabelsExist(PreregistrationError):
    def __init__(self, n: int) -> None:
        super().__init__(
            f"Annotators have submitted {n:,} answer{'' if n == 1 else 's'} already: a plan is frozen before there are"
            " labels. What is planned now belongs in the text of the paper, as planned afterwards."
        )


class ReleaseBroughtIn(PreregistrationError):
    def __init__(self) -> None:
        super().__init__("The study has labels that were brought in with a release: a plan is frozen before.")


class UnknownInPlan(PreregistrationError):
    def __init__(self, what: str, unknown: Iterable[str], known: Iterable[str]) -> None:
        super().__init__(
            f"There is no {what} {', '.join(unknown)}: choose from {', '.join(known) or 'none yet'}."
        )


class SamePlan(PreregistrationError):
    def __init__(self, number: int) -> None:
        super().__init__(f"Plan {number} says the same: change something, or leave it as it is.")
