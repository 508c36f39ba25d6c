"""What the two arms are called, apart from how they are drawn: whoever names them loads nothing large."""

from enum import StrEnum


class Arm(StrEnum):
    BLIND = "blind"
    SUGGESTED = "suggested"
