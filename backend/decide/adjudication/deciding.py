"""Makes a draft of what a call asks for: one side, the majority, or an answer of its own."""

from __future__ import annotations

from annotation.answers import Answers
from backend.core.accounts.models import User
from backend.decide.adjudication.api_shapes import DecisionIn
from backend.decide.adjudication.candidate_answers import CandidateAnswers
from backend.decide.adjudication.errors import NoSuchSide, OneWay
from backend.decide.adjudication.models import Way
from backend.decide.adjudication.services import Draft


def draft_from(body: DecisionIn, candidates: CandidateAnswers) -> Draft:
    if sum([body.accept is not None, body.majority, body.answers is not None]) != 1:
        raise OneWay
    way, answers, accepted_from = _asked(body, candidates)
    return Draft(
        answers=answers,
        reason=body.reason,
        way=way,
        accepted_from=accepted_from,
        settles_discussions=body.settles_discussions,
    )


def _asked(body: DecisionIn, candidates: CandidateAnswers) -> tuple[Way, Answers, User | None]:
    if body.answers is not None:
        return Way.WRITTEN, body.answers.answers(), None
    if body.majority:
        # A tie stays open: what is missing is then refused with its name
        return Way.MAJORITY, candidates.as_answers(candidates.majority.side), None
    for offer in candidates.sides:
        if offer.annotator.username == body.accept and not offer.is_skip:
            return Way.ACCEPTED, candidates.as_answers(offer.side), offer.annotator
    raise NoSuchSide(body.accept or "")
