"""What a prediction must be before it is written or believed; the first fault found is named."""

import math
from collections.abc import Mapping
from itertools import pairwise

from codebook.schema import AnswerKind, Codebook, Question
from learning.predictions.rows import CodePrediction, ItemPrediction, PredictedSpan, answer_values

# Probabilities come out of 32-bit arithmetic.
SUM_TOLERANCE = 1e-4

Questions = Mapping[str, tuple[int, Question]]


class PredictionUnsound(ValueError):
    """A prediction that does not fit its codebook, or contradicts itself."""


def questions_by_code(codebook: Codebook) -> Questions:
    """Each code's place in the codebook and its question."""
    return {code.id: (at, question) for at, (question, code) in enumerate(codebook.coded_questions())}


def check_item(prediction: ItemPrediction, questions: Questions) -> None:
    """Raises PredictionUnsound."""
    if not prediction.item_id or not prediction.adapter_id:
        raise PredictionUnsound("the item or the adapter has no name; every prediction needs both")
    if prediction.n_truncated < 0:
        raise PredictionUnsound(f"{prediction.n_truncated} truncated tokens; count from 0")
    if not prediction.codes:
        raise PredictionUnsound("no code is predicted; leave out an item that nothing is known about")
    for code in prediction.codes:
        check_code(code, questions)
    places = [questions[code.code_id][0] for code in prediction.codes]
    if any(first >= second for first, second in pairwise(places)):
        raise PredictionUnsound(
            "a code is there twice or out of the codebook's order; give each once, in order"
        )


def check_code(prediction: CodePrediction, questions: Questions) -> None:
    code_id = prediction.code_id
    if code_id not in questions:
        raise PredictionUnsound(
            f"the codebook has no code “{code_id}”; predict with the codebook of the file"
        )
    _, question = questions[code_id]
    values = answer_values(question)
    if prediction.value not in values:
        raise PredictionUnsound(
            f"“{code_id}” has the value {prediction.value}; it can be {_list_values(values)}"
        )
    _check_probabilities(prediction, values)
    for span in prediction.spans:
        _check_span(code_id, span, question)
    if question.answer is AnswerKind.SENTENCES and bool(prediction.spans) != bool(prediction.value):
        raise PredictionUnsound(
            f"“{code_id}” is {prediction.value} but has {len(prediction.spans)} sentences"
        )


def _check_probabilities(prediction: CodePrediction, values: tuple[int, ...]) -> None:
    given = prediction.probabilities
    if not given:
        return
    code_id = prediction.code_id
    if tuple(value for value, _ in given) != values:
        raise PredictionUnsound(
            f"“{code_id}” needs a probability for {_list_values(values)}, in this order, or none"
        )
    if not all(0 <= probability <= 1 for _, probability in given):
        raise PredictionUnsound(f"“{code_id}” has a probability that is not between 0 and 1")
    total = math.fsum(probability for _, probability in given)
    if abs(total - 1) > SUM_TOLERANCE:
        raise PredictionUnsound(f"the probabilities of “{code_id}” add up to {total:.6g}, not to 1")


def _check_span(code_id: str, span: PredictedSpan, question: Question) -> None:
    if span.part is not question.part:
        raise PredictionUnsound(f"“{code_id}” is about the {question.part}, but a span is in the {span.part}")
    if not 0 <= span.start < span.end:
        raise PredictionUnsound(
            f"“{code_id}” has a span from {span.start} to {span.end}; a span starts at 0 or later and ends after that"
        )
    if not 0 <= span.score <= 1:
        raise PredictionUnsound(
            f"“{code_id}” has a span with the score {span.score}; it must be between 0 and 1"
        )


def _list_values(values: tuple[int, ...]) -> str:
    return ", ".join(map(str, values))
