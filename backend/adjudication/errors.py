"""What cannot be done in adjudication, each under its own name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from annotation.problems import Problem

if TYPE_CHECKING:
    from backend.adjudication.models import Decision


class AdjudicationError(Exception):
    """A change that cannot be made; the message says why and what to do."""


class DecisionRefused(AdjudicationError):
    """A final answer that does not fit its item or its codebook; `problems` lists everything found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(problem.message for problem in self.problems))


class DecidedMeanwhile(AdjudicationError):
    """Somebody else was quicker; `theirs` is what they decided, unless it must not be seen yet."""

    def __init__(self, theirs: Decision, *, is_blind: bool) -> None:
        self.theirs, self.is_blind = theirs, is_blind
        who, when = theirs.author, f"{theirs.made_at:%d %B %Y, %H:%M} UTC"
        if is_blind:
            message = (
                f"{who} decided this item on {when}, and it is to be decided twice, blindly. "
                "Save again: yours becomes the second decision."
            )
        else:
            because = f", because: {theirs.reason}" if theirs.reason else ""
            message = (
                f"{who} decided this item on {when} ({theirs.get_way_display().lower()}){because}. "
                f"Nothing was saved. Give {theirs.number} as the expected number to decide over it."
            )
        super().__init__(message)

    def told(self) -> dict[str, object]:
        """The same for a program to read."""
        theirs = self.theirs
        who = {"author": theirs.author.username, "made_at": theirs.made_at, "sitting": theirs.sitting}
        if self.is_blind:
            return who | {"withheld": True}
        what = {
            "number": theirs.number,
            "way": theirs.way,
            "reason": theirs.reason,
            "answers": theirs.answers,
        }
        return who | what | {"withheld": False}


class NothingDecidedYet(AdjudicationError):
    def __init__(self) -> None:
        super().__init__("Nothing was decided about this item before: the expected number is 0.")


class NotYourSitting(AdjudicationError):
    def __init__(self) -> None:
        super().__init__(
            "You cannot decide this item now: its blind second decision is for another researcher of the study."
        )


class NothingToUndo(AdjudicationError):
    def __init__(self) -> None:
        super().__init__("This decision does not stand any more: look at the item's history.")


class CannotBeUndone(AdjudicationError):
    def __init__(self) -> None:
        super().__init__(
            "A decision that was compared with a blind second one stays, and so does the second: open the item "
            "and reconcile the two instead."
        )


class OnlyByItsAuthor(AdjudicationError):
    def __init__(self) -> None:
        super().__init__(
            "While its blind second decision is still to be made, only its author can undo or restore a decision."
        )


class BlindSecondToCome(AdjudicationError):
    def __init__(self) -> None:
        super().__init__(
            "This item is to be decided by a second researcher who must not know your reason: "
            "save without settling the discussion, which is settled with the second decision."
        )


class ReasonNeeded(AdjudicationError):
    def __init__(self, what: str) -> None:
        super().__init__(f"Give a reason: it is kept with {what}.")


class AlreadyDismissed(AdjudicationError):
    def __init__(self, by: str) -> None:
        super().__init__(f"{by} has dismissed this already.")


class OneWay(AdjudicationError):
    def __init__(self) -> None:
        super().__init__("Give exactly one of `accept`, `majority` and `answers`.")


class NoSuchSide(AdjudicationError):
    def __init__(self, annotator: str) -> None:
        super().__init__(f"{annotator!r} has given no answer to this item that could be accepted.")


class PlanOutOfRange(AdjudicationError):
    def __init__(self, what: str, highest: str) -> None:
        super().__init__(f"The {what} has to be from 0 to {highest}.")
