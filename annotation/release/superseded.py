"""Whether a label still means what the release's codebook says: it was perhaps made under another definition."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from codebook.schema import Code, Codebook, Question

Policy: TypeAlias = Literal["keep", "leave-out", "weight"]
Meaning: TypeAlias = tuple[str, Question, Code]


class InvalidWeight(ValueError):
    def __init__(self, weight: float) -> None:
        super().__init__(f"a superseded label cannot weigh {weight}; give a weight above 0 and below 1")


@dataclass(frozen=True, slots=True)
class Superseded:
    """What a release does with labels that were made under another definition."""

    policy: Policy = "keep"
    weight: float = 1.0

    def __post_init__(self) -> None:
        if self.policy == "weight" and not 0 < self.weight < 1:
            raise InvalidWeight(self.weight)

    def leaves_out(self, is_superseded: bool) -> bool:
        return is_superseded and self.policy == "leave-out"

    def weight_of(self, is_superseded: bool) -> float:
        return self.weight if is_superseded and self.policy == "weight" else 1.0


def meanings(codebook: Codebook) -> dict[str, Meaning]:
    """By code, everything an annotator goes by: the language, the question with its part, context, text, kind of
    answer, evidence and levels, and the code's name, definition, rules and examples.

    Colours, keys, categories and the order of codes are looks; the rule is that of `codebook.diff`, which calls the
    same differences those that affect labels.
    """
    return {
        code.id: (
            codebook.language,
            replace(question, category="", codes=()),
            replace(code, hotkey="", colour=""),
        )
        for question, code in codebook.coded_questions()
    }


class Definitions:
    """Which codes an edition defines as the target does; `editions` holds every edition that labels were made under."""

    def __init__(self, target: Codebook, editions: Mapping[str, Codebook]) -> None:
        self._target = meanings(target)
        self._same = {
            name: frozenset(
                code for code, meaning in meanings(book).items() if self._target.get(code) == meaning
            )
            for name, book in editions.items()
        }

    def is_current(self, code: str, edition: str) -> bool:
        return code in self._same[edition]
