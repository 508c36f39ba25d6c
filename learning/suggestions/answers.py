"""What somebody would submit who took over all that a model says, as far as it can be submitted."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from annotation.answers import Answers, ItemText, Span, canonical_answers, shown_codes
from annotation.label_studio.decoding.offsets import marked_sentences, trimmed_place
from codebook.schema import AnswerKind, Code, Codebook, Evidence, Question
from learning.learners.spec import learns_evidence
from learning.predictions.rows import CodePrediction, ItemPrediction
from learning.predictions.soundness import check_item, questions_by_code
from learning.suggestions.highlights import HighlightLimits, Mark, sized_marks


class SuggestionUnfit(ValueError):
    """A prediction that is not about this item."""

    def __init__(self, item_id: str, problem: str) -> None:
        super().__init__(
            f"The prediction for the item {item_id} does not fit it: {problem}. Predict it again."
        )


@dataclass(frozen=True, slots=True)
class SuggestionScope:
    """What of a model's answers may be suggested: `left_out` codes never, highlights within `limits` by code.

    A code without limits has all the highlights that the model gives.
    """

    left_out: frozenset[str] = frozenset()
    limits: Mapping[str, HighlightLimits] = field(default_factory=dict)


EVERYTHING = SuggestionScope()


def codes_left_out(codebook: Codebook, config: Mapping[str, object]) -> tuple[Code, ...]:
    """Codes that need highlighted words, where the model learned to mark none: a tick without them is refused later,
    and suggesting only what is not there would pull people to that side."""
    if learns_evidence(config):
        return ()
    return tuple(code for question, code in codebook.coded_questions() if _requires_words(question))


def can_be_suggested(
    codebook: Codebook, prediction: ItemPrediction, scope: SuggestionScope
) -> dict[str, int]:
    """The model's answers by code, without those that are never shown: both conditions are compared on these."""
    questions = questions_by_code(codebook)
    return {
        said.code_id: said.value
        for said in prediction.codes
        if said.code_id not in scope.left_out
        and (said.spans or not _needs_words(questions[said.code_id][1], said.value))
    }


def suggested_answers(
    codebook: Codebook, item: ItemText, prediction: ItemPrediction, scope: SuggestionScope = EVERYTHING
) -> Answers:
    """Words only where the code is there, as the decoder wants them: without surrounding space, or whole sentences.

    A code that was not predicted, or that lacks the words it requires, stays as an annotator finds it: a box
    unticked, a level not chosen.
    """
    marks = suggested_marks(codebook, item, prediction, scope)
    values = suggested_values(codebook, prediction, scope, marks)
    return canonical_answers(codebook, item, values, marks, None)


def suggested_values(
    codebook: Codebook, prediction: ItemPrediction, scope: SuggestionScope, marks: Iterable[Span]
) -> dict[str, int]:
    """By code; `marks` are the highlights that go along."""
    marked = {span.code_id for span in marks}
    questions = questions_by_code(codebook)
    return {
        code_id: value
        for code_id, value in can_be_suggested(codebook, prediction, scope).items()
        if code_id in marked or not _needs_words(questions[code_id][1], value)
    }


def suggested_marks(
    codebook: Codebook, item: ItemText, prediction: ItemPrediction, scope: SuggestionScope = EVERYTHING
) -> dict[Span, float]:
    """Each highlight with how sure the model is of it. Where two places mean the same words, the surer one counts."""
    if prediction.item_id != item.item_id:
        raise SuggestionUnfit(item.item_id, "it names another one")
    check_item(prediction, questions_by_code(codebook))
    found: dict[Span, float] = {}
    for question, code in shown_codes(codebook, item):
        said = prediction.of(code.id)
        if said is None or code.id in scope.left_out:
            continue
        for mark in _marks(question, item, said, scope.limits.get(code.id)):
            span = Span(code.id, question.part, mark.start, mark.end)
            found[span] = max(mark.score, found.get(span, 0.0))
    return found


def _marks(
    question: Question, item: ItemText, said: CodePrediction, limits: HighlightLimits | None
) -> tuple[Mark, ...]:
    """Sentences are answers of their own and stay as they are."""
    if question.answer is AnswerKind.SENTENCES:
        return tuple(_sentence_marks(question, item, said))
    if not _takes_words(question, said.value):
        return ()
    marks = tuple(_trimmed_marks(question, item, said))
    return marks if limits is None else sized_marks(item.text_of(question.part) or "", marks, limits)


def _sentence_marks(question: Question, item: ItemText, said: CodePrediction) -> Iterator[Mark]:
    text = item.text_of(question.part) or ""
    for mark in _trimmed_marks(question, item, said):
        for start, end in marked_sentences(text, mark.start, mark.end):
            yield Mark(start, end, mark.score)


def _trimmed_marks(question: Question, item: ItemText, said: CodePrediction) -> Iterator[Mark]:
    text = item.text_of(question.part) or ""
    for span in said.spans:
        if span.end > len(text):
            raise SuggestionUnfit(item.item_id, f"it marks words beyond the end of the {question.part}")
        place = trimmed_place(text, span.start, span.end)
        if place is not None:
            yield Mark(*place, span.score)


def _takes_words(question: Question, value: int) -> bool:
    return (
        question.answer.takes_evidence
        and question.evidence is not Evidence.NONE
        and value in question.present_values
    )


def _requires_words(question: Question) -> bool:
    return question.answer.takes_evidence and question.evidence is Evidence.REQUIRED


def _needs_words(question: Question, value: int) -> bool:
    return _requires_words(question) and value in question.present_values
