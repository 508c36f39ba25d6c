"""What is wrong in a codebook file, where, and what would be right."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    source: str
    line: int
    path: str
    wrong: str
    right: str

    def __str__(self) -> str:
        return f"{self.source}:{self.line}: {self.wrong}; {self.right}"


class CodebookError(ValueError):
    """A codebook that cannot be used; `problems` lists everything found, in the order of the file."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems
