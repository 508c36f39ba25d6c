"""What an annotator who practises is shown: their submitted items beside the gold, and nothing of the others."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from annotation.feedback import CodeFeedback, Score, score
from backend.batches.models import AssignedItem, Assignment
from backend.codebooks.selectors import codebook_of
from backend.judgments.models import Quarantined, Submission, SubmissionState
from backend.practice.comparison import Comparison, compare_item
from backend.practice.models import GoldAnswer
from backend.practice.selectors import Gold, read_gold
from backend.samples.models import Item
from backend.samples.selectors import item_text
from codebook.schema import Code, Codebook


@dataclass(frozen=True, slots=True)
class ItemFeedback:
    """`comparison` is None where the team has no gold, or has taken it back."""

    assigned: AssignedItem
    submission: Submission
    comparison: Comparison | None

    @property
    def item(self) -> Item:
        return self.assigned.item

    @property
    def score_note(self) -> str:
        found = self.comparison.score if self.comparison else Score(0, 0)
        return f"{found.matched} of {found.codes} as the team sees it"


@dataclass(frozen=True, slots=True)
class CodeHits:
    code: Code
    matched: int
    items: int

    @property
    def share(self) -> float:
        return self.matched / self.items


@dataclass(frozen=True, slots=True)
class PracticeReport:
    """`items` are the submitted ones, newest first; of the rest only their number is told."""

    assignment: Assignment
    items: tuple[ItemFeedback, ...]
    skipped: tuple[AssignedItem, ...]
    to_correct: tuple[AssignedItem, ...]
    total: int
    score: Score
    hits: tuple[CodeHits, ...]

    @property
    def submitted(self) -> int:
        return len(self.items)

    @property
    def progress_note(self) -> str:
        return f"{self.submitted} of {self.total}"

    @property
    def score_note(self) -> str:
        return f"{self.score.matched} of {self.score.codes}"

    @property
    def share(self) -> float | None:
        return self.score.matched / self.score.codes if self.score.codes else None

    @property
    def is_finished(self) -> bool:
        return bool(self.items) and len(self.items) + len(self.skipped) == self.total

    @property
    def to_read_again(self) -> tuple[CodeHits, ...]:
        """Codes that were missed at least once, the most missed first."""
        missed = [hits for hits in self.hits if hits.matched < hits.items]
        return tuple(sorted(missed, key=lambda hits: hits.share))

    @property
    def edited(self) -> int:
        return sum(entry.submission.edits > 0 for entry in self.items)


def practice_report(assignment: Assignment) -> PracticeReport:
    """Gold is read for submitted items only, so that nothing else can leak from here."""
    codebook = codebook_of(assignment.batch.edition)
    assigned = list(assignment.assigned_items.filter(taken_back_at=None).select_related("item"))
    submissions = _submissions(assigned)
    done = [entry for entry in assigned if _state(submissions, entry) == SubmissionState.SUBMITTED]
    gold = _gold_of(assignment, done)
    items = [
        ItemFeedback(entry, submissions[entry.pk], _comparison(codebook, submissions[entry.pk], gold))
        for entry in done
    ]
    items.sort(key=lambda entry: entry.submission.changed_at, reverse=True)
    feedback = [row.feedback for entry in items if entry.comparison for row in entry.comparison.rows]
    waiting = [entry for entry in assigned if entry.pk not in submissions]
    quarantined = set(
        Quarantined.objects.filter(assigned_item__in=waiting).values_list("assigned_item", flat=True)
    )
    return PracticeReport(
        assignment=assignment,
        items=tuple(items),
        skipped=tuple(e for e in assigned if _state(submissions, e) == SubmissionState.SKIPPED),
        to_correct=tuple(entry for entry in waiting if entry.pk in quarantined),
        total=len(assigned),
        score=score(feedback),
        hits=_hits(codebook, feedback),
    )


def news_mark(assignment: Assignment) -> str:
    """Differs as soon as the report would: a page that has this mark needs no new one."""
    assigned = assignment.assigned_items.filter(taken_back_at=None)
    submitted = Submission.objects.filter(assigned_item__in=assigned).order_by("pk")
    items = submitted.filter(state=SubmissionState.SUBMITTED).values("assigned_item__item")
    gold = GoldAnswer.objects.filter(edition=assignment.batch.edition_id, item__in=items).order_by("pk")
    quarantined = Quarantined.objects.filter(assigned_item__in=assigned).order_by("pk")
    state = [
        assignment.batch.state,
        assigned.count(),
        list(submitted.values_list("pk", "version", "state")),
        list(gold.values_list("pk", "written_at")),
        list(quarantined.values_list("pk", flat=True)),
    ]
    return hashlib.sha256(repr(state).encode()).hexdigest()[:16]


def _submissions(assigned: list[AssignedItem]) -> dict[int, Submission]:
    rows = Submission.objects.filter(assigned_item__in=assigned).select_related("assigned_item__item")
    return {row.assigned_item_id: row for row in rows.prefetch_related("judgments", "spans")}


def _state(submissions: Mapping[int, Submission], assigned: AssignedItem) -> str:
    found = submissions.get(assigned.pk)
    return found.state if found else ""


def _gold_of(assignment: Assignment, done: list[AssignedItem]) -> dict[int, Gold]:
    rows = GoldAnswer.objects.filter(
        edition=assignment.batch.edition_id, item__in=[entry.item_id for entry in done]
    )
    return {row.item_id: read_gold(row) for row in rows}


def _comparison(
    codebook: Codebook, submission: Submission, gold_by_item: Mapping[int, Gold]
) -> Comparison | None:
    item = submission.assigned_item.item
    gold = gold_by_item.get(item.pk)
    return compare_item(codebook, item_text(item), gold, submission) if gold else None


def _hits(codebook: Codebook, feedback: list[CodeFeedback]) -> tuple[CodeHits, ...]:
    found = []
    for _, code in codebook.coded_questions():
        asked = [entry for entry in feedback if entry.code.id == code.id]
        if asked:
            found.append(CodeHits(code, score(asked).matched, len(asked)))
    return tuple(found)
