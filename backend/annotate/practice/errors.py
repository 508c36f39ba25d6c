"""What cannot be done about practice, each under its own name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from annotation.problems import Problem


class PracticeError(Exception):
    """A change that cannot be made; the message says why and what to do."""


class GoldRefused(PracticeError):
    """A gold answer that does not fit its item or its codebook; `problems` lists everything found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(problem.message for problem in self.problems))


class GoldUnreadable(PracticeError):
    """A stored gold answer that is not in the stored form: it was changed behind Attune's back."""


class NoGold(PracticeError):
    def __init__(self) -> None:
        super().__init__("This item has no gold answer under this edition: write one first.")


class GoldInUse(PracticeError):
    def __init__(self, batch: str) -> None:
        super().__init__(
            f"Annotators practise on this item in “{batch}”: close that batch first, or change the answer instead."
        )


class ForeignEdition(PracticeError):
    def __init__(self) -> None:
        super().__init__("The edition belongs to another study: choose one of this study's codebook.")


@dataclass(frozen=True, slots=True)
class FileProblem:
    """What is wrong in a file of gold answers, and where; `item` is empty if it concerns no single item."""

    line: int
    item: str
    message: str

    def __str__(self) -> str:
        where = f"line {self.line}, item {self.item}" if self.item else f"line {self.line}"
        return f"{where}: {self.message}"


class GoldFileRefused(PracticeError):
    """A file of gold answers that cannot be imported; `problems` lists everything found, in the order of the file."""

    def __init__(self, file_name: str, problems: Iterable[FileProblem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: problem.line))
        lines = "\n".join(str(problem) for problem in self.problems)
        super().__init__(f"Nothing was imported from {file_name}:\n{lines}")
