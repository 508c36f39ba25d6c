"""One code of one item, with those answers that count for the release's codebook."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotation.answers import shown_codes
from annotation.release.judged_items import CodeAnswer, JudgedItem, code_answers, votes_by_code
from annotation.release.rows import Vote
from annotation.release.superseded import Definitions, Superseded
from codebook.schema import AnswerKind, Codebook, Question


@dataclass(frozen=True, slots=True)
class Case:
    """One code of one item, with those answers that count."""

    judged: JudgedItem
    question: Question
    code: str
    decision: CodeAnswer | None
    votes: tuple[Vote, ...]
    is_superseded: bool

    @property
    def values(self) -> list[int]:
        return [vote.value for vote in self.votes]

    @property
    def is_disputed(self) -> bool:
        """Sentences are disputed as soon as the marks differ, because they are the answer."""
        if self.decision is not None:
            return False
        if self.question.answer is AnswerKind.SENTENCES:
            return len({frozenset(vote.words) for vote in self.votes}) > 1
        return len(set(self.values)) > 1

    @property
    def is_tied(self) -> bool:
        """Whether no answer is given more often than all others."""
        counts = sorted(Counter(self.values).values(), reverse=True)
        return len(counts) > 1 and counts[0] == counts[1]


def disputed_codes(
    judged: JudgedItem, target: Codebook, definitions: Definitions, superseded: Superseded
) -> tuple[str, ...]:
    """The codes on which annotators differ and nobody has decided, of those that get a label at all."""
    return tuple(
        case.code
        for case in cases_of(judged, target, definitions)
        if case.is_disputed and not superseded.leaves_out(case.is_superseded)
    )


def cases_of(judged: JudgedItem, target: Codebook, definitions: Definitions) -> list[Case]:
    votes = votes_by_code(judged.answers)
    given = judged.decision
    decided = code_answers(given.answers, given.edition) if given else {}
    return [
        _case(judged, question, code.id, decided.get(code.id), votes.get(code.id, []), definitions)
        for question, code in shown_codes(target, judged.text)
    ]


def _case(
    judged: JudgedItem,
    question: Question,
    code: str,
    decision: CodeAnswer | None,
    votes: Sequence[Vote],
    definitions: Definitions,
) -> Case:
    """Under the target's definition if anything was judged under it; values it does not know are no use."""
    known = known_values(question)
    if decision is not None and decision.value not in known:
        decision = None
    votes = [vote for vote in votes if vote.value in known]
    current = [vote for vote in votes if definitions.is_current(code, vote.edition)]
    if decision is not None and definitions.is_current(code, decision.edition):
        return Case(judged, question, code, decision, tuple(current or votes), is_superseded=False)
    if current:
        return Case(judged, question, code, None, tuple(current), is_superseded=False)
    return Case(judged, question, code, decision, tuple(votes), is_superseded=True)


def known_values(question: Question) -> frozenset[int]:
    return frozenset(level.value for level in question.levels) if question.levels else frozenset({0, 1})
