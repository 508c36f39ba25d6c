"""What somebody would submit who took over all that a model says."""

from collections.abc import Iterator

from annotation.answers import Answers, ItemText, Span, canonical_answers, shown_codes
from annotation.decoding.offsets import marked_sentences, trimmed_place
from annotation.predictions.rows import CodePrediction, ItemPrediction
from annotation.predictions.soundness import check_item, questions_by_code
from codebook.schema import AnswerKind, Codebook, Evidence, Question


class SuggestionUnfit(ValueError):
    """A prediction that is not about this item."""

    def __init__(self, item_id: str, problem: str) -> None:
        super().__init__(
            f"The prediction for the item {item_id} does not fit it: {problem}. Predict it again."
        )


def suggested_answers(codebook: Codebook, item: ItemText, prediction: ItemPrediction) -> Answers:
    """Words only where the code is there, as the decoder wants them: without surrounding space, or whole sentences.

    A code that was not predicted stays as an annotator finds it: a box unticked, a level not chosen.
    """
    if prediction.item_id != item.item_id:
        raise SuggestionUnfit(item.item_id, "it names another one")
    check_item(prediction, questions_by_code(codebook))
    values: dict[str, int] = {}
    spans: list[Span] = []
    for question, code in shown_codes(codebook, item):
        said = prediction.of(code.id)
        if said is not None:
            values[code.id] = said.value
            spans.extend(span for span, _ in suggested_spans(question, item, said))
    return canonical_answers(codebook, item, values, spans, None)


def suggested_spans(question: Question, item: ItemText, said: CodePrediction) -> Iterator[tuple[Span, float]]:
    """Each with how sure the model is of it; two predicted places may mean the same sentence."""
    if not _takes_words(question, said.value):
        return
    text = item.text_of(question.part) or ""
    for span in said.spans:
        if span.end > len(text):
            raise SuggestionUnfit(item.item_id, f"it marks words beyond the end of the {question.part}")
        place = trimmed_place(text, span.start, span.end)
        if place is None:
            continue
        is_sentence = question.answer is AnswerKind.SENTENCES
        for start, end in marked_sentences(text, *place) if is_sentence else (place,):
            yield Span(said.code_id, question.part, start, end), span.score


def _takes_words(question: Question, value: int) -> bool:
    if question.answer is AnswerKind.SENTENCES:
        return True
    return (
        question.answer.takes_evidence
        and question.evidence is not Evidence.NONE
        and value in question.present_values
    )
