"""What a model said about one item, without any of its words, so that such a file can be passed on."""

from dataclasses import dataclass

from codebook.schema import AnswerKind, Part, Question

Probabilities = tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class PredictedSpan:
    """The words text[start:end] of a part, counted in code points; `score` is how sure the model is of them, 0 to 1."""

    part: Part
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class CodePrediction:
    """`value` is the answer after any threshold, and need not be the likeliest one.

    `probabilities` has every answer with its probability, in the codebook's order; empty where a learner has none.
    `spans` are the evidence, or the marked sentences where a code is answered by sentences. `spread` is how far the
    heads of a model of several annotators are apart, 0 to 1; None of other models.
    """

    code_id: str
    value: int
    probabilities: Probabilities = ()
    spans: tuple[PredictedSpan, ...] = ()
    spread: float | None = None

    def probability_of(self, values: frozenset[int]) -> float | None:
        """The probability that the answer is one of the values, None where the learner gives no probabilities.

        >>> CodePrediction("worry", 1, ((0, 0.2), (1, 0.5), (2, 0.3))).probability_of(frozenset({1, 2}))
        0.8
        """
        if not self.probabilities:
            return None
        return sum(probability for value, probability in self.probabilities if value in values)


@dataclass(frozen=True, slots=True)
class ItemPrediction:
    """`codes` in the codebook's order, without those of a part that the item does not have.

    `adapter_id` names who predicted; `n_truncated` counts the model's tokens that did not fit and were never read.
    """

    item_id: str
    codes: tuple[CodePrediction, ...]
    adapter_id: str
    n_truncated: int = 0

    def of(self, code_id: str) -> CodePrediction | None:
        return next((code for code in self.codes if code.code_id == code_id), None)


def answer_values(question: Question) -> tuple[int, ...]:
    """The possible answers to a question, in the codebook's order: what `probabilities` has to name."""
    if question.answer in (AnswerKind.TICK, AnswerKind.SENTENCES):
        return (0, 1)
    return tuple(level.value for level in question.levels)
