"""Whether a label still means what the release's codebook says: it was perhaps made under another definition, or for
a code that was renamed, merged or split since."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from annotation.answers import Answers
from annotation.release.judged_items import CodeAnswer, code_answers, join_words
from codebook.recoding import carried_value, origins
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

    Ids, colours, keys, categories, the order of codes, and what only models are asked are looks; the rule is that of
    `codebook.diff`, which calls the same differences those that affect labels.
    """
    return {
        code.id: (
            codebook.language,
            replace(question, category="", codes=(), contrast_pairs=()),
            replace(code, id="", hotkey="", colour="", answered_by=(), contrast_pairs=(), formerly=()),
        )
        for question, code in codebook.coded_questions()
    }


class Definitions:
    """What an edition's answers say under the target; `editions` holds every edition that labels were made under."""

    def __init__(self, target: Codebook, editions: Mapping[str, Codebook]) -> None:
        self._questions = {code.id: question for question, code in target.coded_questions()}
        self._origins = {name: origins(book, target) for name, book in editions.items()}
        self._same = {
            name: self._defined_alike(name, book, meanings(target)) for name, book in editions.items()
        }

    def _defined_alike(self, name: str, book: Codebook, target: Mapping[str, Meaning]) -> frozenset[str]:
        """The target's codes that continue one code of this edition with the same definition."""
        earlier = meanings(book)
        return frozenset(
            code
            for code, origin in self._origins[name].items()
            if origin.only is not None and earlier[origin.only] == target[code]
        )

    def is_current(self, code: str, edition: str) -> bool:
        """Whether the edition defines what the code continues as the target defines the code."""
        return code in self._same[edition]

    def carry(self, answers: Answers, edition: str) -> dict[str, CodeAnswer | None]:
        """By code of the target; None where what was answered does not settle it, as a yes for a code that was split.

        A code that nothing was answered for is not there.
        """
        said = code_answers(answers, edition)
        values = {code: answer.value for code, answer in said.items()}
        found: dict[str, CodeAnswer | None] = {}
        for code, origin in self._origins[edition].items():
            if origin.only is not None:
                if origin.only in said:
                    found[code] = said[origin.only]
            elif values.keys() & set(origin.codes):
                value = carried_value(self._questions[code], origin, values)
                words = (
                    [place for each in origin.codes for place in said[each].words]
                    if value is not None
                    else []
                )
                found[code] = None if value is None else CodeAnswer(edition, value, join_words(words))
        return found
