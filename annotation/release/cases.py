"""One code of one item, with those answers that count for the release's codebook."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from annotation.answers import shown_codes
from annotation.release.judged_items import CodeAnswer, JudgedItem
from annotation.release.rows import Vote
from annotation.release.superseded import Definitions, Superseded
from codebook.schema import AnswerKind, Codebook, Question


@dataclass(frozen=True, slots=True)
class Case:
    """One code of one item, with those answers that count. `is_unsettled`: it was answered only under codes that were
    split or merged since, in a way that does not say what the answer is now."""

    judged: JudgedItem
    question: Question
    code: str
    decision: CodeAnswer | None
    votes: tuple[Vote, ...]
    is_superseded: bool
    is_unsettled: bool = False

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
    """In the order of pseudonyms, so that nothing tells who came first."""
    said = {
        given.annotator: definitions.carry(given.answers, given.edition)
        for given in sorted(judged.answers, key=lambda given: given.annotator)
    }
    given = judged.decision
    decided = definitions.carry(given.answers, given.edition) if given else {}
    return [
        _case(judged, question, code.id, said, decided, definitions)
        for question, code in shown_codes(target, judged.text)
    ]


_Carried = Mapping[str, CodeAnswer | None]


def _case(
    judged: JudgedItem,
    question: Question,
    code: str,
    said: Mapping[str, _Carried],
    decided: _Carried,
    definitions: Definitions,
) -> Case:
    """Under the target's definition if anything was judged under it; values it does not know are no use.

    If one of the earlier answers is not settled, none of them counts: with only those that are, every item that was
    disputed would turn into what the others said.
    """
    known = known_values(question)
    decision = decided.get(code)
    if decision is not None and decision.value not in known:
        decision = None
    votes = [
        Vote(annotator, answer.value, answer.edition, answer.words)
        for annotator, answers in said.items()
        if (answer := answers.get(code)) is not None and answer.value in known
    ]
    current = [vote for vote in votes if definitions.is_current(code, vote.edition)]
    if decision is not None and definitions.is_current(code, decision.edition):
        return Case(judged, question, code, decision, tuple(current or votes), is_superseded=False)
    if current:
        return Case(judged, question, code, None, tuple(current), is_superseded=False)
    unsettled = [code in answers and answers[code] is None for answers in (decided, *said.values())]
    if decision is None and any(unsettled):
        return Case(judged, question, code, None, (), is_superseded=True, is_unsettled=True)
    return Case(judged, question, code, decision, tuple(votes), is_superseded=True)


def known_values(question: Question) -> frozenset[int]:
    return frozenset(level.value for level in question.levels) if question.levels else frozenset({0, 1})
