"""What may be wrong with the folder of a release."""

from dataclasses import dataclass
from enum import StrEnum


class ProblemKind(StrEnum):
    NO_MANIFEST = "no manifest"
    CHANGED_MANIFEST = "changed manifest"
    OTHER_RELEASE = "other release"
    MISSING_FILE = "missing file"
    EXTRA_FILE = "extra file"
    CHANGED_FILE = "changed file"
    WRONG_CODEBOOK = "wrong codebook"
    WRONG_COUNTS = "wrong counts"
    WRONG_ITEMS = "wrong items"


@dataclass(frozen=True, slots=True)
class ReleaseProblem:
    kind: ProblemKind
    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"
