"""What a model finds in a post and a reply, set against the codebook: what was asked for, and what is left open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from annotation.answers import ItemText, Span, shown_codes
from codebook.schema import AnswerKind, Code, Codebook, Level, Part, Question
from learning.predictions.rows import CodePrediction, ItemPrediction
from learning.suggestions.answers import suggested_answers


@dataclass(frozen=True, slots=True)
class Finding:
    """The model's answer for one code. `probability` is that of the code being there, or of the point of a scale;
    None where the learner gives none."""

    question: Question
    code: Code
    value: int
    probability: float | None
    spans: tuple[Span, ...]

    @property
    def label(self) -> str:
        return self.question.label_of(self.value)

    @property
    def is_rating(self) -> bool:
        """A point on a scale, which is neither there nor missing."""
        return self.question.answer is AnswerKind.SCALE

    @property
    def marks_sentences(self) -> bool:
        return self.question.answer is AnswerKind.SENTENCES

    @property
    def is_there(self) -> bool:
        return self.value in self.question.present_values

    @property
    def is_full(self) -> bool:
        """There, and no level of it would be higher."""
        return self.is_there and (self.highest is None or self.value == self.highest.value)

    @property
    def highest(self) -> Level | None:
        return self.question.levels[-1] if self.question.answer is AnswerKind.LEVELS else None


class NeedState(StrEnum):
    """`unknown` where the model cannot tell of a code that would answer, and finds none of the others; `no reply`
    where there is none yet."""

    ANSWERED = "answered"
    WEAKLY = "answered weakly"
    OPEN = "not answered"
    UNKNOWN = "not known"
    NO_REPLY = "no reply yet"


@dataclass(frozen=True, slots=True)
class Need:
    """What the post asks for or tells; `answers` are the codes of the reply that would answer it.

    `judged` is what the model says of them, and is empty where there is no reply.
    """

    finding: Finding
    answers: tuple[Code, ...]
    judged: tuple[Finding, ...]
    has_reply: bool

    @property
    def state(self) -> NeedState:
        if not self.has_reply:
            return NeedState.NO_REPLY
        if self.given:
            is_full = any(answer.is_full for answer in self.given)
            return NeedState.ANSWERED if is_full else NeedState.WEAKLY
        is_known = len(self.judged) == len(self.answers)
        return NeedState.OPEN if is_known else NeedState.UNKNOWN

    @property
    def given(self) -> tuple[Finding, ...]:
        return tuple(answer for answer in self.judged if answer.is_there)


@dataclass(frozen=True, slots=True)
class ReplyFeedback:
    """`unjudged` are codes of these texts that the model was never taught, so that it finds them neither there nor
    missing; `untold` are those that it answers and is not shown to know anything about, each with the reason.
    `n_truncated` counts its tokens that it did not read."""

    codebook: Codebook
    item: ItemText
    findings: tuple[Finding, ...]
    needs: tuple[Need, ...]
    unjudged: tuple[Code, ...]
    n_truncated: int
    untold: tuple[tuple[Question, Code, str], ...] = ()

    def found_in(self, part: Part) -> tuple[Finding, ...]:
        return tuple(
            each for each in self.findings if each.question.part is part and (each.is_there or each.is_rating)
        )

    def missing_in(self, part: Part) -> tuple[Finding, ...]:
        return tuple(
            each
            for each in self.findings
            if each.question.part is part and not (each.is_there or each.is_rating)
        )

    def was_taught(self, part: Part) -> bool:
        """Without a single code, nothing can be said of this part."""
        return self.can_tell(part) or any(question.part is part for question, _, _ in self.untold)

    def can_tell(self, part: Part) -> bool:
        """Whether there is a code of this part that the model is shown to know something about."""
        return any(each.question.part is part for each in self.findings)

    @property
    def knows_needs(self) -> bool:
        """The model was taught something that the codebook knows an answer to."""
        return any(each.code.answered_by for each in self.findings)

    @property
    def open_needs(self) -> tuple[Need, ...]:
        return tuple(need for need in self.needs if need.state is NeedState.OPEN)

    @property
    def improvable(self) -> tuple[Finding, ...]:
        """Codes of the reply that are missing or weak, where no need of the post says which of them are wanted."""
        return tuple(
            each
            for each in self.findings
            if each.question.part is Part.REPLY
            and not each.is_full
            and not each.is_rating
            and (each.highest is not None or not has_links(self.codebook))
        )


def has_links(codebook: Codebook) -> bool:
    return any(code.answered_by for _, code in codebook.coded_questions())


def reply_feedback(
    codebook: Codebook,
    item: ItemText,
    prediction: ItemPrediction | None,
    unproven: Mapping[str, str] = MappingProxyType({}),
) -> ReplyFeedback:
    """Without a prediction the texts have no part that the model was taught. Of codes that are `unproven` no answer is
    given, because one that knows nothing would answer as surely.

    Raises SuggestionUnfit or PredictionUnsound where the prediction is not about this text and codebook.
    """
    if prediction is None:
        untaught = tuple(code for _, code in shown_codes(codebook, item))
        return ReplyFeedback(codebook, item, (), (), untaught, 0)
    spans = suggested_answers(codebook, item, prediction).spans
    findings: list[Finding] = []
    unjudged: list[Code] = []
    untold: list[tuple[Question, Code, str]] = []
    for question, code in shown_codes(codebook, item):
        said = prediction.of(code.id)
        if said is None:
            unjudged.append(code)
        elif code.id in unproven:
            untold.append((question, code, unproven[code.id]))
        else:
            own = tuple(span for span in spans if span.code_id == code.id)
            findings.append(Finding(question, code, said.value, _probability(question, said), own))
    needs = tuple(
        _need(codebook, item, finding, findings)
        for finding in findings
        if finding.is_there and finding.code.answered_by
    )
    return ReplyFeedback(
        codebook, item, tuple(findings), needs, tuple(unjudged), prediction.n_truncated, tuple(untold)
    )


def _probability(question: Question, said: CodePrediction) -> float | None:
    return said.probability_of(question.present_values or frozenset({said.value}))


def _need(codebook: Codebook, item: ItemText, finding: Finding, findings: Sequence[Finding]) -> Need:
    by_code = {each.code.id: each for each in findings}
    answers = codebook.answers_to(finding.code)
    judged = tuple(by_code[code.id] for code in answers if code.id in by_code)
    return Need(finding, answers, judged, has_reply=item.reply is not None)
