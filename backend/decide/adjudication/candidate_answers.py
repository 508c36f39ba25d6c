"""The answers among which a researcher chooses: each annotator's and the majority's, in the newest edition's codes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from annotation.answers import Answers, ItemText, Judgment, shown_codes
from annotation.compare_answers import MajoritySide, OneSide, majority
from backend.core.accounts.models import User
from backend.decide.adjudication.annotator_answers import GivenAnswer, answers_of_item, judgments_hash
from backend.decide.adjudication.models import Way
from backend.decide.adjudication.rounds import side_of
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from codebook.schema import Codebook


@dataclass(frozen=True, slots=True)
class CandidateAnswer:
    """One annotator's answer to the codes that still exist; `is_skip`: the annotator skipped the item."""

    annotator: User
    side: OneSide
    is_skip: bool


@dataclass(frozen=True, slots=True)
class CandidateAnswers:
    codebook: Codebook
    text: ItemText
    sides: tuple[CandidateAnswer, ...]
    majority: MajoritySide
    judgments_hash: str

    def of(self, annotator_id: int) -> OneSide | None:
        return next((offer.side for offer in self.sides if offer.annotator.pk == annotator_id), None)

    @property
    def answered(self) -> list[OneSide]:
        return [offer.side for offer in self.sides if not offer.is_skip]

    def as_answers(self, side: OneSide) -> Answers:
        """Just what the side says: a code that it leaves open stays so."""
        judgments = (Judgment(code, value) for code, value in side.values.items())
        return Answers(tuple(judgments), side.spans, None)


def offers_on(item: Item, edition: Edition) -> CandidateAnswers:
    given = answers_of_item(item)
    codebook, text = codebook_of(edition), item_text(item)
    shown = {code.id for _, code in shown_codes(codebook, text)}
    annotators = User.objects.in_bulk([answer.annotator_id for answer in given])
    sides = tuple(
        CandidateAnswer(annotators[answer.annotator_id], _restrict(answer, shown), answer.is_skip)
        for answer in given
    )
    said = [offer.side for offer in sides if not offer.is_skip]
    return CandidateAnswers(codebook, text, sides, majority(codebook, text, said), judgments_hash(given))


def _restrict(answer: GivenAnswer, shown: Iterable[str]) -> OneSide:
    values = {code: answer.side.values[code] for code in shown if code in answer.side.values}
    return OneSide(values, tuple(span for span in answer.side.spans if span.code_id in values))


def way_of(
    candidates: CandidateAnswers,
    decided: Mapping[int, OneSide],
    answers: Answers,
    claimed: Way,
    accepted_from: User | None,
) -> Way:
    """What was claimed, if it is true: an accepted answer that was changed afterwards is a written one.

    `decided` are researchers' answers that could be taken, too, by author.
    """
    final = side_of(answers)
    if claimed is Way.ACCEPTED and accepted_from is not None:
        sides = (candidates.of(accepted_from.pk), decided.get(accepted_from.pk))
        is_true = any(side is not None and _contains(final, side) for side in sides)
        return Way.ACCEPTED if is_true else Way.WRITTEN
    if claimed is Way.MAJORITY and not candidates.majority.open_codes:
        return Way.MAJORITY if _contains(final, candidates.majority.side) else Way.WRITTEN
    return Way.WRITTEN


def _contains(final: OneSide, side: OneSide) -> bool:
    """An annotator under an older edition answered fewer codes; what they did answer has to be the same."""
    return bool(side.values) and all(
        final.values.get(code) == value and set(final.spans_of(code)) == set(side.spans_of(code))
        for code, value in side.values.items()
    )
