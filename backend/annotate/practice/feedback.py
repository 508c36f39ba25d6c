"""What an annotator who practises is shown: their submitted items beside the gold, and nothing of the others."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from annotation.answers import Answers
from annotation.gold_feedback import CodeFeedback, Score, compare_with_gold, score
from backend.annotate.batches.blindness import hidden_items
from backend.annotate.batches.models import AssignedItem, Assignment
from backend.annotate.judgments.first_answers import first_answers
from backend.annotate.judgments.models import Quarantined, Submission, SubmissionState
from backend.annotate.practice.comparison import CodeHits, Comparison, compare_item, hits_by_code, most_missed
from backend.annotate.practice.models import GoldAnswer
from backend.annotate.practice.selectors import Gold, read_gold
from backend.core.accounts.models import User
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from codebook.schema import Codebook


@dataclass(frozen=True, slots=True)
class ItemFeedback:
    """`comparison` is None where the team has no gold, or has taken it back; `first` are the codes of the first try."""

    assigned: AssignedItem
    submission: Submission
    comparison: Comparison | None
    first: tuple[CodeFeedback, ...]

    @property
    def item(self) -> Item:
        return self.assigned.item

    @property
    def score_note(self) -> str:
        found = self.comparison.score if self.comparison else Score(0, 0)
        return f"{found.matched} of {found.codes} as the team sees it"

    @property
    def first_note(self) -> str:
        """Empty if the first try scored the same."""
        first = score(self.first)
        differs = self.comparison is not None and first != self.comparison.score
        return f"{first.matched} of {first.codes}" if differs else ""


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
    first_score: Score
    first_hits: tuple[CodeHits, ...]

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
    def first_score_note(self) -> str:
        return f"{self.first_score.matched} of {self.first_score.codes}"

    @property
    def first_share(self) -> float | None:
        return self.first_score.matched / self.first_score.codes if self.first_score.codes else None

    @property
    def is_finished(self) -> bool:
        return bool(self.items) and len(self.items) + len(self.skipped) == self.total

    @property
    def to_read_again(self) -> tuple[CodeHits, ...]:
        """Codes that were missed at least once, the most missed first."""
        return most_missed(self.hits)

    @property
    def first_missed(self) -> tuple[CodeHits, ...]:
        return most_missed(self.first_hits)

    @property
    def edited(self) -> int:
        return sum(entry.submission.edits > 0 for entry in self.items)


def practice_report(assignment: Assignment, viewer: User | None = None) -> PracticeReport:
    """Gold is read for submitted items only, so that nothing else can leak from here; the viewer reads of none that
    they still have to judge."""
    codebook = codebook_of(assignment.batch.edition)
    given = assignment.assigned_items.filter(taken_back_at=None).select_related("item")
    assigned = list(given.exclude(item__in=hidden_items(viewer, assignment.batch.study)))
    submissions = _submissions(assigned)
    done = [entry for entry in assigned if _state(submissions, entry) == SubmissionState.SUBMITTED]
    gold = _gold_of(assignment, done)
    first = first_tries(codebook, [submissions[entry.pk] for entry in done])
    items = [
        _item_feedback(codebook, submissions[entry.pk], gold.get(entry.item_id), first.get(entry.pk))
        for entry in done
    ]
    items.sort(key=lambda entry: entry.submission.changed_at, reverse=True)
    feedback = [row.feedback for entry in items if entry.comparison for row in entry.comparison.rows]
    tried_first = [code for entry in items for code in entry.first]
    waiting = [entry for entry in assigned if entry.pk not in submissions]
    mendable = set(
        Quarantined.objects.filter(assigned_item__in=waiting, is_fixable=True).values_list(
            "assigned_item", flat=True
        )
    )
    return PracticeReport(
        assignment=assignment,
        items=tuple(items),
        skipped=tuple(e for e in assigned if _state(submissions, e) == SubmissionState.SKIPPED),
        to_correct=tuple(entry for entry in waiting if entry.pk in mendable),
        total=len(assigned),
        score=score(feedback),
        hits=hits_by_code(codebook, feedback),
        first_score=score(tried_first),
        first_hits=hits_by_code(codebook, tried_first),
    )


def news_mark(assignment: Assignment) -> str:
    """Differs as soon as the report would: a page that has this mark needs no new one."""
    assigned = assignment.assigned_items.filter(taken_back_at=None)
    submitted = Submission.objects.filter(assigned_item__in=assigned).order_by("pk")
    items = submitted.filter(state=SubmissionState.SUBMITTED).values("assigned_item__item")
    gold = (
        GoldAnswer.objects.current()
        .filter(edition=assignment.batch.edition_id, item__in=items)
        .order_by("pk")
    )
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
    rows = GoldAnswer.objects.current().filter(
        edition=assignment.batch.edition_id, item__in=[entry.item_id for entry in done]
    )
    return {row.item_id: read_gold(row) for row in rows}


def _item_feedback(
    codebook: Codebook, submission: Submission, gold: Gold | None, first: Answers | None
) -> ItemFeedback:
    assigned = submission.assigned_item
    if gold is None:
        return ItemFeedback(assigned, submission, None, ())
    text = item_text(assigned.item)
    comparison = compare_item(codebook, text, gold, submission)
    if first is None:
        return ItemFeedback(assigned, submission, comparison, tuple(row.feedback for row in comparison.rows))
    return ItemFeedback(
        assigned, submission, comparison, compare_with_gold(codebook, text, gold.answers, first)
    )


def first_tries(codebook: Codebook, submissions: Iterable[Submission]) -> dict[int, Answers]:
    """By assigned item: the first sound answer, where another one stands by now.

    An answer in quarantine shows nothing of the gold, so mending it is no second try. One that was deleted did.
    """
    standing = {submission.assigned_item_id: submission for submission in submissions}
    places = [submission.assigned_item for submission in standing.values()]
    return {
        first.place.pk: first.answers
        for first in first_answers(places, codebook)
        if first.version_id != standing[first.place.pk].version_id
    }
