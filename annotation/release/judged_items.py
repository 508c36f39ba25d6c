"""What is known about an item when a release is made: its answers and decision, under whichever edition."""

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.answers import Answers, ItemText, Span
from annotation.release.rows import DecisionFact, ReleaseItem, Vote, Words


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One annotator's answer to the item; `annotator` is a pseudonym, `edition` a hash."""

    annotator: str
    edition: str
    answers: Answers


@dataclass(frozen=True, slots=True)
class GivenDecision:
    edition: str
    answers: Answers
    fact: DecisionFact


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """`text` is what was shown; whether it goes into the files, `item.texts` says."""

    item: ReleaseItem
    text: ItemText
    answers: tuple[GivenAnswer, ...]
    decision: GivenDecision | None


@dataclass(frozen=True, slots=True)
class CodeAnswer:
    """One answer reduced to one code."""

    edition: str
    value: int
    words: tuple[Words, ...]


def code_answers(answers: Answers, edition: str) -> dict[str, CodeAnswer]:
    words: dict[str, list[Words]] = {}
    for span in answers.spans:
        words.setdefault(span.code_id, []).append(_words(span))
    return {
        judgment.code_id: CodeAnswer(edition, judgment.value, tuple(words.get(judgment.code_id, ())))
        for judgment in answers.judgments
    }


def votes_by_code(answers: tuple[GivenAnswer, ...]) -> Mapping[str, list[Vote]]:
    """In the order of pseudonyms, so that nothing tells who came first."""
    votes: dict[str, list[Vote]] = {}
    for given in sorted(answers, key=lambda given: given.annotator):
        for code, said in code_answers(given.answers, given.edition).items():
            votes.setdefault(code, []).append(Vote(given.annotator, said.value, said.edition, said.words))
    return votes


def _words(span: Span) -> Words:
    return Words(span.part, span.start, span.end)
