"""One call: what the model in service says about a post and a reply."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Field, Router, Schema

from annotation.release.rows import SplitPart
from backend.core.accounts.access import user_of
from backend.core.studies.access import MEMBER, study_of
from backend.publish.feedback.measured import Measured
from backend.publish.feedback.reading import LONGEST_TEXT, LONGEST_TITLE, Reading, read_texts
from codebook.schema import AnswerKind, Code, Part
from learning.reply_feedback import Finding, Need, NeedState
from learning.suggestions.asking import TextAsked

router = Router(auth=MEMBER)
NOTICE = "A model says this, and it may err: `measured` has how good it was on a part of its release."


class TextsIn(Schema):
    """Read by the model and thrown away."""

    title: str = Field("", max_length=LONGEST_TITLE)
    post: str = Field(min_length=1, max_length=LONGEST_TEXT)
    reply: str | None = Field(None, min_length=1, max_length=LONGEST_TEXT)


class MeasuredOut(Schema):
    """With a 95% interval where there is one; `note` says why a value is missing."""

    part: SplitPart = Field(
        description="`test`: it had not learned from these items. `validation`: its thresholds were chosen by them."
    )
    metric: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    note: str

    @classmethod
    def of(cls, found: Measured) -> MeasuredOut:
        return cls(
            part=found.part,
            metric=found.name,
            value=found.value,
            low=found.low,
            high=found.high,
            n=found.n,
            note=found.note,
        )


class WordsOut(Schema):
    """The words text[start:end] of the part, counted in code points."""

    start: int
    end: int
    text: str


class FeedbackCodeOut(Schema):
    """In the words of the codebook."""

    id: str
    name: str
    definition: str
    examples: list[str]

    @classmethod
    def of(cls, code: Code) -> FeedbackCodeOut:
        examples = [example.text for example in code.examples_for]
        return cls(id=code.id, name=code.name, definition=code.definition, examples=examples)


class FindingOut(Schema):
    code: FeedbackCodeOut
    part: Part
    answer: AnswerKind
    value: int
    label: str
    is_there: bool = Field(description="Always false for a point of a rating scale.")
    probability: float | None = Field(description="That the code is there, or of the point of a scale.")
    evidence: list[WordsOut]
    highest_level: str = Field(description="What the codebook says of its highest level, if it has levels.")
    measured: MeasuredOut | None

    @classmethod
    def of(cls, reading: Reading, found: Finding) -> FindingOut:
        item, measured = reading.feedback.item, reading.measured.get(found.code.id)
        return cls(
            code=FeedbackCodeOut.of(found.code),
            part=found.question.part,
            answer=found.question.answer,
            value=found.value,
            label=found.label,
            is_there=found.is_there,
            probability=found.probability,
            evidence=[
                WordsOut(start=span.start, end=span.end, text=item.words_of(span)) for span in found.spans
            ],
            highest_level=found.highest.definition if found.highest else "",
            measured=MeasuredOut.of(measured) if measured else None,
        )


class NeedOut(Schema):
    """What the post asks for or tells, and what the reply makes of it."""

    code: str
    state: NeedState
    answered_by: list[str] = Field(description="Codes found in the reply that answer it.")
    would_answer: list[FeedbackCodeOut] = Field(description="Every code of the reply that would.")

    @classmethod
    def of(cls, need: Need) -> NeedOut:
        return cls(
            code=need.finding.code.id,
            state=need.state,
            answered_by=[each.code.id for each in need.given],
            would_answer=[FeedbackCodeOut.of(code) for code in need.answers],
        )


class FeedbackOut(Schema):
    notice: str
    adapter: int = Field(description="Number of the adapter that answered.")
    adapter_id: str
    edition: int
    findings: list[FindingOut]
    needs: list[NeedOut]
    improvable: list[str] = Field(description="Codes of the reply that are missing or weak.")
    unjudged: list[str] = Field(description="Codes that the model was never taught.")
    cannot_tell: dict[str, str] = Field(
        description="Codes that the model is not shown to find better than by always giving the commonest answer, each"
        " with the reason: of these there is no answer."
    )
    unlike_training: list[str] = Field(
        description="What in the texts is unlike those the model learned from."
    )
    likeness_unknown: list[str] = Field(
        description="Of which texts it is not known whether they are like those the model learned from, and why."
    )
    promotion: str = Field(description="How the model entered service, and if by override, the reason.")
    n_truncated: int = Field(description="Tokens of the text that the model did not read.")

    @classmethod
    def of(cls, reading: Reading) -> FeedbackOut:
        said = reading.feedback
        return cls(
            notice=NOTICE,
            adapter=reading.adapter.number,
            adapter_id=reading.adapter.adapter_id,
            edition=reading.adapter.edition.number,
            findings=[FindingOut.of(reading, finding) for finding in said.findings],
            needs=[NeedOut.of(need) for need in said.needs],
            improvable=[finding.code.id for finding in said.improvable],
            unjudged=[code.id for code in said.unjudged],
            cannot_tell={code.id: why for _, code, why in said.untold},
            unlike_training=list(reading.likeness.unlike),
            likeness_unknown=list(reading.likeness.unknown),
            promotion=reading.promotion.words,
            n_truncated=said.n_truncated,
        )


@router.post("", response=FeedbackOut)
def give_feedback(request: HttpRequest, texts: TextsIn) -> FeedbackOut:
    """What the model in service finds, and what the reply leaves open. The texts are not kept.

    Annotators cannot ask about the study's own texts.
    """
    asked = TextAsked(texts.title, texts.post, texts.reply)
    return FeedbackOut.of(read_texts(study=study_of(request), asked=asked, user=user_of(request)))
