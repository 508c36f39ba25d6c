"""What cannot be done in adjudication, each under its own name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from annotation.problems import Problem

if TYPE_CHECKING:
    from backend.decide.adjudication.models import Decision, DecisionRound


class AdjudicationError(Exception):
    """A change that cannot be made; the message says why and what to do."""


class DecisionRefused(AdjudicationError):
    """A final answer that does not fit its item or its codebook, or a reason that cannot be kept; `problems` lists
    everything found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(problem.message for problem in self.problems))


class DecidedMeanwhile(AdjudicationError):
    """Somebody else was quicker; `theirs` is what they decided, unless it must not be seen yet.

    `decision_round` and `expected_number` are what a decision that knows of theirs has to carry.
    """

    def __init__(
        self, theirs: Decision, *, is_blind: bool, decision_round: DecisionRound, expected_number: int
    ) -> None:
        self.theirs, self.is_blind = theirs, is_blind
        self.decision_round, self.expected_number = decision_round, expected_number
        who, when = theirs.author, f"{theirs.made_at:%d %B %Y, %H:%M} UTC"
        if is_blind:
            done = f"{who} decided this item on {when}, and it is to be decided twice, blindly."
        elif theirs.answers is None:
            done = f"{who} took the decision on this item back on {when}."
        else:
            because = f", because: {theirs.reason}" if theirs.reason else ""
            done = f"{who} decided this item on {when} ({theirs.get_way_display().lower()}){because}."
        super().__init__(
            f"{done} Nothing was saved. To decide now, save again for decision_round {decision_round.value} "
            f"({decision_round.label.lower()}) with {expected_number} as the expected number."
        )

    def told(self) -> dict[str, object]:
        """The same for a program to read."""
        theirs = self.theirs
        who = {
            "author": theirs.author.username,
            "made_at": theirs.made_at,
            "decision_round": theirs.decision_round,
            "due": {"decision_round": self.decision_round, "expected_number": self.expected_number},
        }
        if self.is_blind:
            return who | {"withheld": True}
        what = {
            "number": theirs.number,
            "way": theirs.way,
            "reason": theirs.reason,
            "answers": theirs.answers,
        }
        return who | what | {"withheld": False}


class ChangedMeanwhile(AdjudicationError):
    """The annotators' answers or the codebook are not what was shown any more."""

    def __init__(
        self, *, edition: int, is_other_edition: bool, judgments_hash: str, annotators: Sequence[str]
    ) -> None:
        self.edition, self.is_other_edition = edition, is_other_edition
        self.judgments_hash, self.annotators = judgments_hash, tuple(annotators)
        who = f" (see {', '.join(annotators)})" if annotators else ""
        what = (
            f"Edition {edition} of the codebook is in force now, and another one was shown to you."
            if is_other_edition
            else f"Annotators’ answers to this item have changed since they were shown to you{who}."
        )
        super().__init__(f"{what} Nothing was saved. Look at the item as it is now, and save again.")

    def told(self) -> dict[str, object]:
        """What a decision that knows of it has to carry."""
        return {
            "edition": self.edition,
            "judgments_hash": self.judgments_hash,
            "annotators": list(self.annotators),
        }


class NothingDecidedYet(AdjudicationError):
    def __init__(self) -> None:
        super().__init__("Nothing was decided about this item before: the expected number is 0.")


class NotYourRound(AdjudicationError):
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


class DiscussionStays(AdjudicationError):
    """Settling or re-opening a discussion with the decision was refused, in the words of the discussion."""


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
