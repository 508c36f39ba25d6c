"""Random sound predictions for any codebook."""

from hypothesis import strategies as st

from codebook.schema import AnswerKind, Codebook, Question
from learning.predictions.rows import CodePrediction, ItemPrediction, PredictedSpan, answer_values


@st.composite
def code_predictions(draw: st.DrawFn, question: Question, code_id: str) -> CodePrediction:
    values = answer_values(question)
    shares = draw(st.lists(st.integers(1, 9), min_size=len(values), max_size=len(values)))
    probabilities = tuple((value, share / sum(shares)) for value, share in zip(values, shares, strict=True))
    starts = draw(st.lists(st.integers(0, 50), max_size=3))
    spans = tuple(
        PredictedSpan(question.part, start, start + draw(st.integers(1, 9)), draw(st.floats(0, 1)))
        for start in starts
    )
    value = draw(st.sampled_from(values))
    if question.answer is AnswerKind.SENTENCES:
        value = int(bool(spans))
    return CodePrediction(code_id, value, draw(st.sampled_from([probabilities, ()])), spans)


@st.composite
def item_predictions(draw: st.DrawFn, codebook: Codebook, item_id: str) -> ItemPrediction:
    codes = [draw(code_predictions(question, code.id)) for question, code in codebook.coded_questions()]
    kept = draw(st.integers(1, len(codes)))
    return ItemPrediction(
        item_id, tuple(codes[:kept]), draw(st.sampled_from(["a-1", "b-2"])), draw(st.integers(0, 9))
    )


@st.composite
def prediction_lists(draw: st.DrawFn, codebook: Codebook) -> tuple[ItemPrediction, ...]:
    n = draw(st.integers(0, 4))
    return tuple(draw(item_predictions(codebook, f"item-{at}")) for at in range(n))
