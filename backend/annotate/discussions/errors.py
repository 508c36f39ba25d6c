"""What cannot be done about discussions, each under its own name."""

from __future__ import annotations

from collections.abc import Sequence


class DiscussionError(Exception):
    """A change that cannot be made; the message says why and what to do."""


class NotForYou(DiscussionError):
    def __init__(self) -> None:
        super().__init__("Only people who may read a discussion can take part in it.")


class ResearchersOnly(DiscussionError):
    def __init__(self) -> None:
        super().__init__("Only researchers of the study can settle, re-open or share a discussion.")


class NothingSaid(DiscussionError):
    def __init__(self) -> None:
        super().__init__("The message is empty: write something first.")


class TooLong(DiscussionError):
    def __init__(self, longest: int) -> None:
        super().__init__(f"This is too long: keep it under {longest:,} characters.")


class NoReason(DiscussionError):
    def __init__(self) -> None:
        super().__init__("Give the reason, so that the next person who doubts finds it.")


class AlreadySettled(DiscussionError):
    def __init__(self, by: str) -> None:
        super().__init__(f"{by} has settled this discussion already. Re-open it to settle it otherwise.")


class NotSettled(DiscussionError):
    def __init__(self) -> None:
        super().__init__("Only a settled discussion can be re-opened, and this one is not settled.")


class NoSuchCode(DiscussionError):
    def __init__(self, code: str) -> None:
        super().__init__(
            f"The study's newest codebook has no code “{code}”. Choose one that it has, or none."
        )


class NoChangeProposed(DiscussionError):
    def __init__(self) -> None:
        super().__init__("Say how the code's text should change, or choose no code.")


class StillBlind(DiscussionError):
    """For researchers only: it names people."""

    def __init__(self, names: Sequence[str]) -> None:
        listed = ", ".join(names)
        have = "has" if len(names) == 1 else "have"
        super().__init__(
            f"{listed} still {have} this item to judge, and must do so without knowing what others think. "
            "Share the discussion when they are done or when their batch is closed."
        )
