"""What can go wrong with pre-labels; each message says what to do."""

from __future__ import annotations


class PrelabelError(Exception):
    """Suggestions cannot be made as asked."""


class WrongShare(PrelabelError):
    def __init__(self) -> None:
        super().__init__("The blind share is a number from 0 to 1: give 0.2 for one post in five.")


class WrongKinds(PrelabelError):
    def __init__(self, kinds: str) -> None:
        super().__init__(
            f"Suggestions are for main, active and overlap batches, and not for {kinds}: practice teaches the codebook "
            "and a recheck asks what somebody thinks by themselves."
        )


class NothingToPush(PrelabelError):
    """The message says why a batch gets no suggestions."""
