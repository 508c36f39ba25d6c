"""A prediction as what Label Studio pre-fills: boxes and highlights, and how sure the model is of each."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from statistics import fmean

from annotation.answers import ItemText, Span, shown_codes
from annotation.label_studio.config.control_names import ControlKind, read_control_name
from annotation.label_studio.encoding import Origin, Row, encode_answers
from codebook.schema import Codebook
from learning.predictions.rows import ItemPrediction
from learning.suggestions.answers import (
    EVERYTHING,
    SuggestionScope,
    suggested_answers,
    suggested_marks,
    suggested_values,
)

SHORT_ID = 12
# Nobody reads more, and Label Studio would write all seventeen digits.
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`score` is the mean probability of the suggested answers, None where the learner gives none.

    `version` is how Label Studio names the model: the beginning of the adapter's id.
    """

    rows: tuple[Row, ...]
    score: float | None
    version: str


def short_id(adapter_id: str) -> str:
    """
    >>> short_id("0f3c9a6be1d25577aa")
    '0f3c9a6be1d2'
    """
    return adapter_id[:SHORT_ID]


def encode_prediction(
    codebook: Codebook, item: ItemText, prediction: ItemPrediction, scope: SuggestionScope = EVERYTHING
) -> Suggestion:
    answers = suggested_answers(codebook, item, prediction, scope)
    marks = suggested_marks(codebook, item, prediction, scope)
    suggested = suggested_values(codebook, prediction, scope, marks)
    certainty = _certainty(codebook, item, prediction, suggested)
    rows = encode_answers(codebook, item, answers, origin=Origin.PREDICTION)
    scored = tuple(_with_score(row, certainty, marks) for row in rows)
    known = [certainty[code] for code in sorted(certainty)]
    score = round(fmean(known), DIGITS) if known else None
    return Suggestion(scored, score, short_id(prediction.adapter_id))


def _certainty(
    codebook: Codebook, item: ItemText, prediction: ItemPrediction, suggested: Collection[str]
) -> dict[str, float]:
    """By code, the probability of the answer that is suggested."""
    found = {}
    for _, code in shown_codes(codebook, item):
        said = prediction.of(code.id) if code.id in suggested else None
        probability = said.probability_of(frozenset({said.value})) if said else None
        if probability is not None:
            found[code.id] = probability
    return found


def _with_score(row: Row, certainty: Mapping[str, float], marks: Mapping[Span, float]) -> Row:
    """A row of several boxes is as sure as its least sure one."""
    name = read_control_name(str(row["from_name"]))
    value = row["value"]
    assert isinstance(value, dict)
    if name.kind in (ControlKind.SPAN, ControlKind.SENTENCE):
        scores = [marks[Span(name.subject, name.part, value["start"], value["end"])]]
    elif name.kind is ControlKind.LEVEL:
        scores = [certainty[name.subject]] if name.subject in certainty else []
    else:
        scores = [certainty[code] for code in value["choices"] if code in certainty]
    return {**row, "score": round(min(scores), DIGITS)} if scores else row
