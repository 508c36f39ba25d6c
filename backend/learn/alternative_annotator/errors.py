"""What can go wrong with a test of the alternative annotator, each under its own name."""

from __future__ import annotations


class AlternativeError(Exception):
    """A test that cannot be made; the message says why and what to do."""


class EpsilonOutOfReach(AlternativeError):
    def __init__(self) -> None:
        super().__init__(
            "ε lies between 0 and 1: .2 for experts, .15 for skilled annotators, .1 for a crowd."
        )


class OtherEdition(AlternativeError):
    def __init__(self, name: str, edition: int) -> None:
        super().__init__(f"“{name}” labels by edition {edition}: choose a release of that edition.")


class NothingToTestOn(AlternativeError):
    """Its message tells what is missing."""


class ColumnsRefused(AlternativeError):
    """A table of labels that cannot be read; the message names the line and what to do."""


class NameTaken(AlternativeError):
    def __init__(self, name: str) -> None:
        super().__init__(f"There are labels of “{name}” already: give these another name.")
