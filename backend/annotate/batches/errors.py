"""What cannot be done about batches, each under its own name."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from backend.annotate.batches.plans import BatchPlan


class BatchError(Exception):
    """A change that cannot be made; the message says why and what to do."""


def list_names(names: Sequence[str]) -> str:
    """
    >>> list_names(["Amal"]), list_names(["Amal", "Bea", "Chen"])
    ('Amal', 'Amal, Bea and Chen')
    """
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last


class NoSample(BatchError):
    def __init__(self) -> None:
        super().__init__(
            "Choose at least one sample to take the items from; draw one first if there is none."
        )


class UnknownSample(BatchError):
    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"This study has no sample named {list_names(names)}.")


class NothingToPractise(BatchError):
    def __init__(self) -> None:
        super().__init__(
            "No item has gold answers under the newest edition of the codebook: write some under Gold first."
        )


class GoldStillAsked(BatchError):
    def __init__(self, batch: str, annotator: str, item: str) -> None:
        super().__init__(
            f"{annotator} still has to judge item {item} in “{batch}”, and the feedback of practice would give its "
            f"answer away: wait until they are done, close “{batch}”, or leave {annotator} out."
        )


class NoAnnotators(BatchError):
    def __init__(self) -> None:
        super().__init__("Choose at least one annotator; add annotators to the study under Members.")


class UnknownAnnotator(BatchError):
    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            f"Not an annotator of this study: {list_names(names)}. Add them under Members first."
        )


class NameTaken(BatchError):
    def __init__(self, name: str) -> None:
        super().__init__(f"This study already has a batch named “{name}”: choose another name.")


class NoName(BatchError):
    def __init__(self) -> None:
        super().__init__("A batch needs a name by which annotators find it: type one.")


class WorkCameIn(BatchError):
    def __init__(self, name: str) -> None:
        super().__init__(
            f"Somebody has begun to work on “{name}”, so it cannot be discarded any more: close it instead."
        )


class NumberMissing(BatchError):
    def __init__(self) -> None:
        super().__init__("Say how many of their own items each annotator gets again.")


class TooFewItems(BatchError):
    def __init__(self, left: int, wanted: int) -> None:
        only = "No item is" if left == 0 else f"Only {left:,} item{'s are' if left > 1 else ' is'}"
        super().__init__(
            f"{only} left, and this batch needs {wanted:,}: ask for fewer, or take in another sample."
        )


class TooFewOwnItems(BatchError):
    def __init__(self, annotator: str, left: int, wanted: int) -> None:
        super().__init__(
            f"{annotator} has {left:,} submitted item{'' if left == 1 else 's'} that can be asked again, and this "
            f"batch needs {wanted:,}: ask for fewer, or leave {annotator} out. Only items count that were judged "
            "under the newest edition, and that were neither discussed nor asked again since."
        )


class OnlyRatings(BatchError):
    def __init__(self) -> None:
        super().__init__(
            "The codebook asks for ratings alone, and nobody can be sure between neighbours on a scale: open an "
            "overlap batch instead."
        )


class NobodyToAskAgain(BatchError):
    def __init__(self, start_with: int) -> None:
        super().__init__(
            f"Items start with {start_with} annotators and may have no more: allow {start_with + 1} or more, or open "
            "an overlap batch."
        )


class TooFewToAsk(BatchError):
    def __init__(self, there: int, wanted: int) -> None:
        super().__init__(
            f"An item may have {wanted} annotators, and {there} {'is' if there == 1 else 'are'} chosen: choose more "
            "people, or allow fewer for an item."
        )


class BudgetTooSmall(BatchError):
    def __init__(self, budget: int, first: int) -> None:
        super().__init__(
            f"The first answers alone are {first:,}, and the budget is {budget:,}: raise it, or ask for fewer items."
        )


class NoItems(BatchError):
    def __init__(self) -> None:
        super().__init__("Name the items of this batch: a model, or a call of the API, chooses them.")


class UnknownItems(BatchError):
    def __init__(self, items: Sequence[str]) -> None:
        super().__init__(f"This study has no item {list_names(items)}.")


class ItemsTaken(BatchError):
    def __init__(self, items: Sequence[str]) -> None:
        super().__init__(f"Already in a batch: {list_names(items)}. Leave them out.")


class ItemsHaveGold(BatchError):
    def __init__(self, items: Sequence[str]) -> None:
        super().__init__(
            f"These items have gold answers and are for practice alone: {list_names(items)}. Leave them out."
        )


class NothingToAnswer(BatchError):
    def __init__(self, left_out: int) -> None:
        super().__init__(
            f"The codebook asks about replies alone, and none of the {left_out:,} items has one: take in others."
        )


class DueDatePast(BatchError):
    def __init__(self, due_on: date) -> None:
        super().__init__(f"{due_on:%d.%m.%Y} is over: choose a later day, or none.")


class PlanChanged(BatchError):
    """`plan` is what would be opened now."""

    def __init__(self, plan: BatchPlan) -> None:
        self.plan = plan
        super().__init__(
            "The study changed since you looked: the batch would hold other items now. Look at it again, then open it."
        )


class WrongState(BatchError):
    def __init__(self, name: str, state: str, remedy: str) -> None:
        super().__init__(f"“{name}” is {state}{f': {remedy}' if remedy else ''}.")


class NotInBatch(BatchError):
    def __init__(self, annotator: str) -> None:
        super().__init__(f"{annotator} has no part in this batch.")


class AlreadyWithdrawn(BatchError):
    def __init__(self, annotator: str) -> None:
        super().__init__(
            f"{annotator} is withdrawn from this batch: undo that first, or choose somebody else."
        )


class NotWithdrawn(BatchError):
    def __init__(self, annotator: str) -> None:
        super().__init__(f"{annotator} is not withdrawn from this batch: there is nothing to undo.")


class NothingToMove(BatchError):
    def __init__(self, annotator: str) -> None:
        super().__init__(f"{annotator} has no unfinished item in this batch: there is nothing to hand over.")


class TooFewToMove(BatchError):
    def __init__(self, annotator: str, unfinished: int, wanted: int) -> None:
        super().__init__(
            f"{annotator} has {unfinished:,} unfinished items in this batch, fewer than {wanted:,}: hand over fewer, "
            "or leave the number empty to hand over all."
        )


class SamePerson(BatchError):
    def __init__(self, annotator: str) -> None:
        super().__init__(f"{annotator} cannot take over from themselves: choose somebody else.")


class AlreadyTheirs(BatchError):
    def __init__(self, annotator: str) -> None:
        super().__init__(
            f"{annotator} already has some of these items in this batch and would judge them twice: choose an "
            "annotator who does not have them, or withdraw without handing over."
        )


class MayHaveRead(BatchError):
    """Somebody who researches too would be asked about items of which they could read what others answered."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            f"As researchers of this study, {list_names(names)} could read what others answered, so they would not "
            "judge these items afresh: leave them out, or give them items that nobody has answered yet."
        )


class OwnItemsStay(BatchError):
    def __init__(self) -> None:
        super().__init__(
            "A recheck asks each annotator about their own earlier items: these cannot be handed to somebody else."
        )
