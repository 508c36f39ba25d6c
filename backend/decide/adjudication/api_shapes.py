"""What calls about adjudication send and answer; never a text, only places."""

from __future__ import annotations

from datetime import datetime

from ninja import Field, Schema
from pydantic import AwareDatetime, ConfigDict

from annotation.answers import Answers, Judgment, Span
from annotation.compare_answers import OneSide
from backend.decide.adjudication.history import PastDecision
from backend.decide.adjudication.models import DecisionRound, Way
from backend.decide.adjudication.queue import Entry
from codebook.schema import Part


class SpanShape(Schema):
    """`start` and `end` count the code points of the part's text; `end` is not included."""

    model_config = ConfigDict(extra="forbid")

    code: str = Field(max_length=80)
    part: Part
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class AnswersShape(Schema):
    """Values by code id and the words behind them."""

    model_config = ConfigDict(extra="forbid")

    values: dict[str, int]
    spans: list[SpanShape] = Field(default_factory=list, max_length=2000)

    @classmethod
    def of(cls, side: OneSide) -> AnswersShape:
        spans = [
            SpanShape(code=span.code_id, part=span.part, start=span.start, end=span.end)
            for span in side.spans
        ]
        return cls(values=dict(side.values), spans=spans)

    def answers(self) -> Answers:
        return Answers(
            tuple(Judgment(code, value) for code, value in self.values.items()),
            tuple(Span(span.code, span.part, span.start, span.end) for span in self.spans),
            None,
        )


class QueuedOut(Schema):
    item: str
    reasons: dict[str, int] = Field(description="Open points by reason.")
    codes: list[str]
    points: int

    @classmethod
    def of(cls, entry: Entry, item_id: str) -> QueuedOut:
        reasons = {reason.value: n for reason, n in entry.points.items()}
        return cls(item=item_id, reasons=reasons, codes=sorted(entry.codes), points=entry.n_points)


class QueueOut(Schema):
    waiting: int
    settled: int
    with_others: int = Field(description="Items that wait for another researcher's blind decision.")
    with_annotators: int = Field(description="Disputed items that an annotator still has to judge.")
    is_counting: bool = Field(
        description="Much has changed at once and is being worked out: the numbers and items are those from before."
    )
    items: list[QueuedOut]


class SideOut(Schema):
    annotator: str
    is_skip: bool
    answers: AnswersShape


class AdjudicationItemOut(Schema):
    """`decision_round`, `expected_number`, `edition`, `judgments_hash` and `opened_at` go into the decision;
    the round is null if it is another researcher's turn."""

    item: str
    edition: int
    judgments_hash: str
    opened_at: datetime
    decision_round: DecisionRound | None
    expected_number: int
    sides: list[SideOut]
    majority: AnswersShape
    open_codes: list[str] = Field(description="Codes on which no answer has a majority.")
    disputed: list[str] = Field(description="Codes that not all answered alike.")


class DecisionIn(Schema):
    """Give `accept`, or `majority`, or `answers`."""

    model_config = ConfigDict(extra="forbid")

    decision_round: DecisionRound
    expected_number: int = Field(ge=0, description="0 if nothing was decided; else the number that you saw.")
    edition: int | None = Field(None, description="As you read it: refused if another one is in force now.")
    judgments_hash: str | None = Field(None, description="As you read it: refused if answers have changed.")
    opened_at: AwareDatetime | None = Field(None, description="As you read it: what comes up later is new.")
    accept: str | None = Field(None, description="The annotator whose answer is accepted as it is.")
    majority: bool = False
    answers: AnswersShape | None = None
    reason: str = ""
    settles_discussions: bool = False


class DecisionOut(Schema):
    """`withheld`: you could still make the blind second decision, so its content is not told."""

    id: int
    item: str
    decision_round: DecisionRound
    number: int
    author: str
    made_at: datetime
    stands: bool
    withheld: bool
    edition: int
    way: Way | None
    accepted_from: str | None
    reason: str | None
    answers: AnswersShape | None

    @classmethod
    def of(cls, past: PastDecision) -> DecisionOut:
        row, hidden = past.decision, past.is_withheld
        answers = past.answers
        side = None
        if answers is not None:
            side = OneSide({one.code_id: one.value for one in answers.judgments}, answers.spans)
        return cls(
            id=row.pk,
            item=row.item.item_id,
            decision_round=DecisionRound(row.decision_round),
            number=row.number,
            author=row.author.username,
            made_at=row.made_at,
            stands=past.stands,
            withheld=hidden,
            edition=row.edition.number,
            way=None if hidden else Way(row.way),
            accepted_from=row.accepted_from.username if row.accepted_from and not hidden else None,
            reason=None if hidden else row.reason,
            answers=AnswersShape.of(side) if side else None,
        )


class SavedOut(DecisionOut):
    """The decision as it was saved, and what is still open about its item."""

    open_flags: list[str] = Field(
        description="Annotators whose flag is still open: the item stays in the queue and out of releases."
    )


class PlanShape(Schema):
    evidence_threshold: float = Field(ge=0, le=1)
    second_share: float = Field(ge=0, le=1)
    seed: int = Field(ge=0, lt=2**63)


class SuspicionOut(Schema):
    id: int = Field(alias="pk")
    item: str = Field(alias="item.item_id")
    kind: str
    code: str
    detail: dict[str, object]
    found_at: datetime
    reopens: str = Field(
        description="What is new since the decision that it reopens; empty if it reopens none."
    )
    dismissed_because: str


class DismissIn(Schema):
    reason: str = Field(max_length=4000)


class FoundOut(Schema):
    job: int
