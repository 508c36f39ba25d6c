"""What cannot be done about a study's codebook, each under its own name."""

from __future__ import annotations


class EditionError(Exception):
    """A new edition that cannot be added; the message says why."""


class NoCodebook(EditionError):
    def __init__(self) -> None:
        super().__init__(
            "This study has no codebook yet: choose one first, under Codebook, so that it is known what is asked."
        )
