"""Where a model and a release differ, code by code, with the words that each points to side by side.

A false positive is an item where the model finds the code and gold does not; a false negative the other way round.
Codes without an answer that says “not there”, such as ratings, have neither. Where sentences are marked, an item on
which the model marks others than gold is an error too: a false positive if it marks more wrong ones than it misses,
else a false negative.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from analysis.error_tags import ErrorTag
from annotation.agreement.inputs import judged_codes
from annotation.agreement.values import JudgedCode
from annotation.release.rows import FinalLabel, ReleaseRow, Snippet, SplitPart, Words
from codebook.schema import AnswerKind, Codebook, Part
from learning.predictions.rows import ItemPrediction, PredictedSpan
from learning.scoring.cases import Case, CodeCases, Gold, by_item, code_cases, gold_of


class ErrorKind(StrEnum):
    FALSE_POSITIVE = "false-positive"
    FALSE_NEGATIVE = "false-negative"


@dataclass(frozen=True, slots=True)
class Quote:
    """A place in the judged part, and its words where the release has texts."""

    start: int
    end: int
    words: str | None


@dataclass(frozen=True, slots=True)
class AnnotatorSide:
    """What one annotator, by pseudonym, said and pointed to before anything was settled."""

    annotator: str
    value: int
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class ModelError:
    """`gold` has the words of the settled label, `annotators` those of each, `model` the model's.

    `probability` is how probable the model held the code, None where it gives none.
    """

    item_id: str
    code: str
    part: Part
    kind: ErrorKind
    probability: float | None
    gold_value: int
    model_value: int
    gold: tuple[Quote, ...]
    annotators: tuple[AnnotatorSide, ...]
    model: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class CodeErrors:
    """Of `n_items` compared, in `n_there` gold finds the code; errors of which the model was surest come first."""

    code: str
    part: Part
    n_items: int
    n_there: int
    false_positives: tuple[ModelError, ...]
    false_negatives: tuple[ModelError, ...]

    @property
    def errors(self) -> tuple[ModelError, ...]:
        return (*self.false_positives, *self.false_negatives)


def errors_by_code(
    release_rows: Iterable[ReleaseRow],
    predictions: Sequence[ItemPrediction],
    codebook: Codebook,
    *,
    part_of_split: SplitPart | None,
) -> tuple[CodeErrors, ...]:
    """In the codebook's order. Look at a part that the model was not trained on: elsewhere it hardly errs."""
    gold, predicted = gold_of(release_rows, part_of_split), by_item(predictions)
    found = (code_cases(gold, predicted, code) for code in judged_codes(codebook))
    return tuple(_code_errors(gold, cases) for cases in found if cases.can_be_absent)


@dataclass(frozen=True, slots=True)
class TagCount:
    """`untagged` counts the errors of a kind that nobody has sorted yet."""

    code: str
    kind: ErrorKind
    n: int
    by_tag: dict[ErrorTag, int]
    untagged: int


def tag_counts(
    errors: Iterable[CodeErrors], tags: Mapping[tuple[str, str], Collection[ErrorTag]]
) -> tuple[TagCount, ...]:
    """`tags` has those of an error by item and code."""
    counts = []
    for code in errors:
        for kind, own in (
            (ErrorKind.FALSE_POSITIVE, code.false_positives),
            (ErrorKind.FALSE_NEGATIVE, code.false_negatives),
        ):
            put = [frozenset(tags.get((error.item_id, error.code), ())) for error in own]
            by_tag = {tag: sum(tag in each for each in put) for tag in ErrorTag}
            counts.append(TagCount(code.code, kind, len(own), by_tag, sum(not each for each in put)))
    return tuple(counts)


def _code_errors(gold: Gold, cases: CodeCases) -> CodeErrors:
    there, said = cases.gold_finds, cases.model_finds
    errors = [
        _error(gold.rows[cases.rows[at]], cases, at, is_positive=kind)
        for at, case in enumerate(cases.cases)
        if (kind := _is_positive(cases.code, case, is_there=bool(there[at]), is_said=bool(said[at])))
        is not None
    ]
    positives = [error for error in errors if error.kind is ErrorKind.FALSE_POSITIVE]
    negatives = [error for error in errors if error.kind is ErrorKind.FALSE_NEGATIVE]
    positives.sort(key=lambda error: (-(error.probability or 0), error.item_id))
    negatives.sort(key=lambda error: (1 if error.probability is None else error.probability, error.item_id))
    return CodeErrors(
        code=cases.code.code_id,
        part=cases.code.part,
        n_items=len(cases.cases),
        n_there=int(there.sum()),
        false_positives=tuple(positives),
        false_negatives=tuple(negatives),
    )


def _is_positive(code: JudgedCode, case: Case, *, is_there: bool, is_said: bool) -> bool | None:
    """None where it is no error."""
    if code.answer is AnswerKind.SENTENCES:
        gold = {(place.start, place.end) for place in case.label.evidence.snippets}
        model = {(place.start, place.end) for place in case.prediction.spans}
        if gold != model:
            return len(model - gold) > len(gold - model)
    return is_said if is_there != is_said else None


def _error(row: ReleaseRow, cases: CodeCases, at: int, *, is_positive: bool) -> ModelError:
    case, probability = cases.cases[at], float(cases.probability[at])
    return ModelError(
        item_id=row.item.item_id,
        code=cases.code.code_id,
        part=cases.code.part,
        kind=ErrorKind.FALSE_POSITIVE if is_positive else ErrorKind.FALSE_NEGATIVE,
        probability=None if probability != probability else probability,
        gold_value=cases.code.values[cases.gold[at]],
        model_value=case.prediction.value,
        gold=_quotes(case, case.label.evidence.snippets),
        annotators=_annotators(case, case.label),
        model=_quotes(case, case.prediction.spans),
    )


def _annotators(case: Case, label: FinalLabel) -> tuple[AnnotatorSide, ...]:
    return tuple(AnnotatorSide(vote.annotator, vote.value, _quotes(case, vote.words)) for vote in label.votes)


def _quotes(
    case: Case, places: Sequence[Snippet] | Sequence[PredictedSpan] | Sequence[Words]
) -> tuple[Quote, ...]:
    ordered = sorted((place.start, place.end) for place in places)
    return tuple(Quote(start, end, case.text[start:end] if case.text else None) for start, end in ordered)
