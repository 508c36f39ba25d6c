"""One reading of a post and a reply by the model in service: asked, checked, and set against its codebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.release.rows import SplitPart
from backend.core.accounts.models import User
from backend.core.studies.access import role_in
from backend.core.studies.models import Study, StudyRole
from backend.design.codebooks.selectors import codebook_of
from backend.learn.models.models import Adapter
from backend.learn.models.promotion import Promotion, promotion_of
from backend.learn.models.selectors import adapter_in_service, adapters_of
from backend.publish.feedback.asking import ask_model
from backend.publish.feedback.errors import (
    AnswerUnreadable,
    BelongsToStudy,
    NoModel,
    NothingToJudge,
    TextTooLong,
)
from backend.publish.feedback.likeness import Likeness, likeness_of
from backend.publish.feedback.measured import Measured, measured_by_code
from codebook.schema import Part
from learning.predictions.soundness import PredictionUnsound
from learning.reply_feedback import ReplyFeedback, reply_feedback
from learning.scoring.majority_baseline import unproven_codes
from learning.suggestions.answers import SuggestionUnfit
from learning.suggestions.asking import TextAsked

LONGEST_TITLE, LONGEST_TEXT = 300, 20_000


@dataclass(frozen=True, slots=True)
class Reading:
    """`adapter` is the one that answered: while another is being loaded, still the one before. `likeness` says what in
    the texts is unlike those that it learned from."""

    adapter: Adapter
    feedback: ReplyFeedback
    measured: Mapping[str, Measured]
    promotion: Promotion
    likeness: Likeness


def read_texts(*, study: Study, asked: TextAsked, user: User) -> Reading:
    """Raises a FeedbackError. Nothing is written, and no text is logged."""
    _refuse_long(asked)
    adapter = adapter_in_service(study)
    if adapter is None:
        raise NoModel
    _refuse_without_judged_part(adapter, asked)
    if role_in(user, study) != StudyRole.RESEARCHER and belongs_to(study, asked):
        raise BelongsToStudy
    judged = ask_model(study, asked)
    answered_by = adapters_of(study).filter(adapter_id=judged.adapter_id).first()
    if answered_by is None:
        raise AnswerUnreadable
    try:
        feedback = reply_feedback(
            codebook_of(answered_by.edition), asked.item(), judged.prediction, _unproven(answered_by)
        )
    except (SuggestionUnfit, PredictionUnsound):
        raise AnswerUnreadable from None
    return Reading(
        answered_by,
        feedback,
        measured_by_code(answered_by),
        promotion_of(answered_by),
        likeness_of(answered_by, asked),
    )


def _unproven(adapter: Adapter) -> Mapping[str, str]:
    card = adapter.read_card()
    return unproven_codes(card.codes, card.measures.get(SplitPart.TEST.value))


def _refuse_long(asked: TextAsked) -> None:
    for what, text, longest in (
        ("title", asked.title, LONGEST_TITLE),
        ("post", asked.post, LONGEST_TEXT),
        ("reply", asked.reply or "", LONGEST_TEXT),
    ):
        if len(text) > longest:
            raise TextTooLong(what, longest)


def _refuse_without_judged_part(adapter: Adapter, asked: TextAsked) -> None:
    """By what the model was taught, which may be less than the codebook asks."""
    taught = set(adapter.read_card().codes)
    coded = codebook_of(adapter.edition).coded_questions()
    parts = {question.once_for for question, code in coded if code.id in taught}
    if asked.reply is None and parts == {Part.REPLY}:
        raise NothingToJudge(Part.REPLY)


# Whether a text is one of the study's own: annotators are not told what a model says of what they are to judge.
# Shorter replies, such as a thank you, are everybody's.
SHORTEST_OWN_REPLY = 40


def belongs_to(study: Study, asked: TextAsked) -> bool:
    """Its post or its reply is that of an item, whatever became of spaces and capitals on the way, and whichever field
    the title was pasted into."""
    posts, reply = _posts(asked.title, asked.post), _plain(asked.reply or "")
    tells = len(reply) >= SHORTEST_OWN_REPLY
    texts = study.items.values_list("title", "post_text", "reply_text").order_by().iterator()
    return any(
        not posts.isdisjoint(_posts(title, post_text)) or (tells and _plain(reply_text or "") == reply)
        for title, post_text, reply_text in texts
    )


def _posts(title: str, body: str) -> set[str]:
    """A post with and without its title. A title alone is a post only where there is nothing else."""
    return {_plain(body), _plain(f"{title} {body}")} - {""}


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
