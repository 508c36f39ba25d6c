"""A reading as a page shows it: texts with their highlights, and rows with the words behind each finding."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from backend.core.web.passages import Highlight, MarkedPassage, marked_passages
from backend.learn.models.models import Adapter
from backend.learn.models.promotion import Promotion
from backend.publish.feedback.likeness import Likeness
from backend.publish.feedback.measured import Measured
from backend.publish.feedback.reading import Reading
from codebook.schema import Code, Part, Question
from learning.reply_feedback import Finding, Need, NeedState, has_links

TONES = {
    NeedState.ANSWERED: "good",
    NeedState.WEAKLY: "info",
    NeedState.OPEN: "warn",
    NeedState.UNKNOWN: "neutral",
    NeedState.NO_REPLY: "neutral",
}


@dataclass(frozen=True, slots=True)
class FindingRow:
    finding: Finding
    quotes: tuple[str, ...]
    measured: Measured | None


@dataclass(frozen=True, slots=True)
class NeedRow:
    need: Need
    asked: FindingRow
    tone: str


@dataclass(frozen=True, slots=True)
class PartRows:
    """`is_judged` is whether the codebook asks anything about this part, `is_taught` whether the model learned it, and
    `can_tell` whether it is shown to know something about it."""

    part: Part
    passages: tuple[MarkedPassage, ...]
    found: tuple[FindingRow, ...]
    missing: tuple[FindingRow, ...]
    is_judged: bool
    is_taught: bool
    can_tell: bool


@dataclass(frozen=True, slots=True)
class FeedbackPage:
    adapter: Adapter
    title: str
    parts: tuple[PartRows, ...]
    needs: tuple[NeedRow, ...]
    knows_needs: bool
    n_open: int
    improvable: tuple[FindingRow, ...]
    unjudged: tuple[Code, ...]
    untold: tuple[tuple[Question, Code, str], ...]
    promotion: Promotion
    likeness: Likeness
    n_truncated: int
    has_reply: bool
    has_links: bool


def page_of(reading: Reading) -> FeedbackPage:
    said = reading.feedback
    parts = (part for part in Part if said.item.text_of(part) is not None)
    return FeedbackPage(
        adapter=reading.adapter,
        title=said.item.title,
        parts=tuple(_part(reading, part) for part in parts),
        needs=tuple(NeedRow(need, _row(reading, need.finding), TONES[need.state]) for need in said.needs),
        knows_needs=said.knows_needs,
        n_open=len(said.open_needs),
        improvable=_rows(reading, said.improvable),
        unjudged=said.unjudged,
        untold=said.untold,
        promotion=reading.promotion,
        likeness=reading.likeness,
        n_truncated=said.n_truncated,
        has_reply=said.item.reply is not None,
        has_links=has_links(said.codebook),
    )


def _part(reading: Reading, part: Part) -> PartRows:
    said = reading.feedback
    marks = [
        Highlight(span.start, span.end, span.code_id)
        for finding in said.findings
        for span in finding.spans
        if span.part is part
    ]
    return PartRows(
        part,
        marked_passages(said.item.text_of(part) or "", marks, said.codebook),
        _rows(reading, said.found_in(part)),
        _rows(reading, said.missing_in(part)),
        bool(said.codebook.questions_on(part)),
        said.was_taught(part),
        said.can_tell(part),
    )


def _rows(reading: Reading, findings: Iterable[Finding]) -> tuple[FindingRow, ...]:
    return tuple(_row(reading, finding) for finding in findings)


def _row(reading: Reading, finding: Finding) -> FindingRow:
    item = reading.feedback.item
    quotes = tuple(item.words_of(span) for span in finding.spans)
    return FindingRow(finding, quotes, reading.measured.get(finding.code.id))
