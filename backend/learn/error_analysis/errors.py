"""What can go wrong with the analysis of errors, each under its own name."""

from __future__ import annotations


class ErrorAnalysisError(Exception):
    """Something that cannot be done with an error; the message says why and what to do."""


class NothingMeasured(ErrorAnalysisError):
    def __init__(self, why: str) -> None:
        super().__init__(why)


class NoSuchError(ErrorAnalysisError):
    def __init__(self) -> None:
        super().__init__("The model and the label agree on this code of the item: there is nothing to tag.")


class NotInStudy(ErrorAnalysisError):
    def __init__(self, item_id: str) -> None:
        super().__init__(f"The item {item_id} is not in this study any more, so that it cannot be tagged.")


class NothingToUndo(ErrorAnalysisError):
    def __init__(self) -> None:
        super().__init__("You have no step here to undo, or somebody has changed that tag since.")


class StepElsewhere(ErrorAnalysisError):
    def __init__(self, part: str) -> None:
        super().__init__(
            f"Your latest step was not on the {part} part: look at the other part and undo it there."
        )
