"""What a model says becomes rows that read back as the very answers it gave, with how sure it was."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.answers import Answers, ItemText, Span, shown_codes
from annotation.label_studio.config import label_config
from annotation.label_studio.decoding import decode_results
from annotation.problems import ProblemKind
from annotation.sentences import sentences
from codebook.schema import AnswerKind, Code, Codebook, Evidence, Part, Question
from codebook.shipped import load_shipped
from learning.predictions.rows import CodePrediction, ItemPrediction, PredictedSpan, answer_values
from learning.suggestions.answers import (
    SuggestionScope,
    SuggestionUnfit,
    can_be_suggested,
    codes_left_out,
    suggested_answers,
)
from learning.suggestions.encoding import encode_prediction
from learning.suggestions.highlights import HighlightLimits
from tests.annotation.strategies import items, places
from tests.codebook.strategies import codebooks
from tests.examples import examples

ITEM = ItemText("i1", "Tired", "I need\nhelp 😀 now", "Oh no. I feel with you.")
ADAPTER = "0f3c9a6be1d25577aa"


@st.composite
def _code(draw: st.DrawFn, question: Question, code: Code, item: ItemText) -> CodePrediction:
    text = item.text_of(question.part) or ""
    values = answer_values(question)
    shares = draw(st.lists(st.integers(1, 9), min_size=len(values), max_size=len(values)))
    even = tuple((value, share / sum(shares)) for value, share in zip(values, shares, strict=True))
    where = st.sampled_from(sentences(text)) if question.answer is AnswerKind.SENTENCES else places(text)
    found = draw(st.lists(where, max_size=3)) if text.strip() else []
    spans = tuple(PredictedSpan(question.part, start, end, draw(st.floats(0, 1))) for start, end in found)
    value = int(bool(spans)) if question.answer is AnswerKind.SENTENCES else draw(st.sampled_from(values))
    return CodePrediction(code.id, value, draw(st.sampled_from([even, ()])), spans)


@st.composite
def predictions_of(draw: st.DrawFn, codebook: Codebook, item: ItemText) -> ItemPrediction:
    codes = [
        draw(_code(question, code, item))
        for question, code in codebook.coded_questions()
        if item.text_of(question.part) is not None
    ]
    return ItemPrediction(item.item_id, tuple(codes), ADAPTER)


@settings(max_examples=examples(60), deadline=None)
@given(st.data(), codebooks(), items())
def test_what_is_suggested_reads_back_as_what_was_predicted(
    data: st.DataObject, codebook: Codebook, item: ItemText
) -> None:
    prediction = data.draw(predictions_of(codebook, item))
    if not prediction.codes:
        return
    suggestion = encode_prediction(codebook, item, prediction)
    decoded = decode_results(codebook, item, list(suggestion.rows))
    assert decoded.answers == suggested_answers(codebook, item, prediction)
    # What lacks its words is left to the annotator, and nothing else is wrong with it.
    assert {problem.kind for problem in decoded.problems} <= {ProblemKind.UNANSWERED}
    values = {judgment.code_id: judgment.value for judgment in decoded.answers.judgments}
    expected = {code.code_id: code.value for code in prediction.codes}
    marked = {span.code_id for span in decoded.answers.spans}
    for question, code in shown_codes(codebook, item):
        needs_words = question.answer.takes_evidence and question.evidence is Evidence.REQUIRED
        if needs_words and expected[code.id] in question.present_values and code.id not in marked:
            expected[code.id] = 0
            if question.answer.has_levels:
                del expected[code.id]
    assert values == expected
    config = label_config(codebook)
    for row in suggestion.rows:
        assert row["origin"] == "prediction"
        assert f'name="{str(row["from_name"]).replace("_0", "_{{idx}}")}"' in config


def test_boxes_words_and_certainty_go_along() -> None:
    codebook = load_shipped("empathy-practices")
    sure, unsure = ((0, 0.1), (1, 0.9)), ((0, 0.4), (1, 0.6))
    words = (PredictedSpan(Part.POST, 1, 12, 0.75), PredictedSpan(Part.POST, 2, 6, 0.5))
    prediction = ItemPrediction(
        "i1",
        (
            CodePrediction("asking-advice", 1, sure, words),
            CodePrediction("seeking-similar-experiences", 1, unsure),
        ),
        ADAPTER,
    )
    suggestion = encode_prediction(codebook, ITEM, prediction)
    boxes, first, second = suggestion.rows
    # The other box has no words, which it requires: it is not ticked for anybody.
    assert (boxes["value"], boxes["score"]) == ({"choices": ["asking-advice"]}, 0.9)
    assert [(row["value"], row["score"]) for row in (first, second)] == [
        ({"start": 2, "end": 6, "text": "need", "labels": ["asking-advice"]}, 0.5),
        ({"start": 2, "end": 11, "text": "need\\nhelp", "labels": ["asking-advice"]}, 0.75),
    ]
    assert (suggestion.score, suggestion.version) == (0.9, "0f3c9a6be1d2")


@pytest.mark.parametrize(
    ("name", "code", "value"), [("empathy-practices", "asking-advice", 1), ("epitome", "explorations", 2)]
)
def test_nothing_is_suggested_for_codes_whose_words_a_model_never_marks(
    name: str, code: str, value: int
) -> None:
    codebook = load_shipped(name)
    counting = {"input": "alone", "strength": 1.0}
    left_out = codes_left_out(codebook, counting)
    assert code in {each.id for each in left_out}
    assert codes_left_out(codebook, {"evidence_weight": 0.5}) == ()
    scope = SuggestionScope(left_out=frozenset(each.id for each in left_out))
    for said in (0, value):
        prediction = ItemPrediction("i1", (CodePrediction(code, said, ()),), ADAPTER)
        assert encode_prediction(codebook, ITEM, prediction, scope).rows == ()
        assert can_be_suggested(codebook, prediction, scope) == {}


def test_thirty_crumbs_become_a_few_highlights_of_the_size_that_people_mark() -> None:
    codebook = load_shipped("empathy-practices")
    post = " ".join(f"word{number:02}." if number % 10 == 9 else f"word{number:02}" for number in range(60))
    item = ItemText("i1", "", post, None)
    crumbs = tuple(
        PredictedSpan(Part.POST, start, start + 6, start / 1000)
        for start in (post.index(f"word{number:02}") for number in range(0, 60, 2))
    )
    prediction = ItemPrediction("i1", (CodePrediction("asking-advice", 1, (), crumbs),), ADAPTER)
    scope = SuggestionScope(limits={"asking-advice": HighlightLimits(2, 10, 70)})
    spans = suggested_answers(codebook, item, prediction, scope).spans
    # One for a sentence, the two that the model is surest of
    assert [item.words_of(span) for span in spans] == [
        " ".join(f"word{number}" for number in range(40, 49)),
        " ".join(f"word{number}" for number in range(50, 59)),
    ]


def test_words_are_suggested_only_where_the_code_is_there() -> None:
    codebook = load_shipped("epitome")
    span = PredictedSpan(Part.REPLY, 7, 23, 0.9)
    absent = ItemPrediction("i1", (CodePrediction("interpretations", 0, (), (span,)),), ADAPTER)
    present = ItemPrediction("i1", (CodePrediction("interpretations", 2, (), (span,)),), ADAPTER)
    assert suggested_answers(codebook, ITEM, absent).spans == ()
    assert suggested_answers(codebook, ITEM, present).spans == (Span("interpretations", Part.REPLY, 7, 23),)
    assert encode_prediction(codebook, ITEM, present).score is None


def test_nothing_found_is_an_empty_suggestion_and_no_mistake() -> None:
    codebook = load_shipped("empathy-practices")
    prediction = ItemPrediction("i1", (CodePrediction("asking-advice", 0, ((0, 0.8), (1, 0.2))),), ADAPTER)
    suggestion = encode_prediction(codebook, ITEM, prediction)
    assert (suggestion.rows, suggestion.score) == ((), 0.8)
    read = decode_results(codebook, ITEM, list(suggestion.rows)).answers
    assert isinstance(read, Answers) and not any(judgment.value for judgment in read.judgments)


@pytest.mark.parametrize(
    ("item_id", "end", "says"), [("i2", 3, "names another"), ("i1", 99, "beyond the end of the post")]
)
def test_a_prediction_about_another_text_is_refused(item_id: str, end: int, says: str) -> None:
    codebook = load_shipped("empathy-practices")
    code = CodePrediction("asking-advice", 1, (), (PredictedSpan(Part.POST, 0, end, 1.0),))
    with pytest.raises(SuggestionUnfit, match=says):
        encode_prediction(codebook, ITEM, ItemPrediction(item_id, (code,), ADAPTER))
