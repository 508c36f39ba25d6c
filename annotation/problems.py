"""What can be wrong with an annotation that came back, named so that each case can be shown and mended."""

from dataclasses import dataclass
from enum import StrEnum


class ProblemKind(StrEnum):
    """The first ten are found in the answers themselves, the others by whoever knows whose item it is."""

    UNREADABLE = "unreadable"
    UNKNOWN_CONTROL = "unknown-control"
    UNKNOWN_CODE = "unknown-code"
    WRONG_TEXT = "wrong-text"
    BAD_OFFSETS = "bad-offsets"
    MISSING_EVIDENCE = "missing-evidence"
    ORPHAN_SPAN = "orphan-span"
    HIDDEN_PART = "hidden-part"
    UNANSWERED = "unanswered"
    CONTRADICTION = "contradiction"
    SECOND_ANNOTATION = "second-annotation"
    WRONG_ANNOTATOR = "wrong-annotator"
    UNKNOWN_ITEM = "unknown-item"


@dataclass(frozen=True, slots=True)
class Problem:
    """`subject` is the code, question or control it is about; `fixable` means by the annotator, in Label Studio."""

    kind: ProblemKind
    subject: str
    message: str
    fixable: bool
