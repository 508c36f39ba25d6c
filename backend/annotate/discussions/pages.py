"""Puts together what the pages of discussions show, and to whom."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import HttpRequest

from backend.annotate.batches.models import BatchState
from backend.annotate.discussions.answers import marked_texts, shown_answers
from backend.annotate.discussions.forms import ReplyForm, SettleForm
from backend.annotate.discussions.models import Discussion, DiscussionState
from backend.annotate.discussions.queue import (
    QueueChoice,
    choice_from,
    filter_discussions,
    in_order,
    neighbours,
)
from backend.annotate.discussions.selectors import (
    annotator_of,
    codes_of_study,
    counts_by_state,
    discussions_for,
    still_blind,
    waits_for,
)
from backend.annotate.judgments.models import Submission
from backend.core.accounts.access import user_of
from backend.core.studies.access import role_in
from backend.core.studies.models import RESEARCHING, Study, StudyRole
from backend.design.codebooks.selectors import codebook_of
from codebook.schema import Code


@dataclass(frozen=True, slots=True)
class Queue:
    choice: QueueChoice
    rows: QuerySet[Discussion]
    of_all_states: QuerySet[Discussion]


@dataclass(frozen=True, slots=True)
class Tab:
    state: DiscussionState
    label: str
    count: int


FOR_ANNOTATORS = {
    DiscussionState.WAITING: "Answered",
    DiscussionState.OPEN: "With the researchers",
    DiscussionState.SETTLED: "Settled",
    DiscussionState.WITHDRAWN: "Taken back",
}
FOR_RESEARCHERS = {
    DiscussionState.OPEN: "Open",
    DiscussionState.WAITING: "Waiting for the annotator",
    DiscussionState.SETTLED: "Settled",
    DiscussionState.WITHDRAWN: "Taken back",
}


def queue_for(request: HttpRequest, study: Study, *, state: DiscussionState | None = None) -> Queue:
    """Only researchers filter: a filter by code would tell annotators what others found in an item."""
    user = user_of(request)
    visible = discussions_for(user, study)
    is_researcher = role_in(user, study) == StudyRole.RESEARCHER
    usual = state or _first_state_with_work(visible, is_researcher=is_researcher)
    choice = choice_from(request.GET, default_state=usual)
    of_all_states = filter_discussions(visible, choice, study) if is_researcher else visible
    return Queue(choice, in_order(of_all_states, choice), of_all_states)


def _first_state_with_work(visible: QuerySet[Discussion], *, is_researcher: bool) -> DiscussionState:
    tabs = tabs_of(counts_by_state(visible), is_researcher=is_researcher)
    return next((tab.state for tab in tabs if tab.count), tabs[0].state)


def tabs_of(counts: dict[DiscussionState, int], *, is_researcher: bool) -> list[Tab]:
    labels = FOR_RESEARCHERS if is_researcher else FOR_ANNOTATORS
    return [Tab(state, label, counts[state]) for state, label in labels.items()]


def detail_context(request: HttpRequest, study: Study, discussion: Discussion) -> dict[str, object]:
    """The answers are for the annotator who gave them and for researchers; others who share read the bare text."""
    user, owner = user_of(request), annotator_of(discussion)
    is_researcher = role_in(user, study) == StudyRole.RESEARCHER
    batch = discussion.assigned_item.assignment.batch
    codebook = codebook_of(batch.edition)
    submission = _submission(discussion) if is_researcher or user == owner else None
    context: dict[str, object] = {
        "study": study,
        "discussion": discussion,
        "item": discussion.assigned_item.item,
        "batch": batch,
        "annotator": owner,
        "is_own": user == owner,
        "is_researcher": is_researcher,
        "waits": waits_for(discussion, user, is_researcher=is_researcher),
        "texts": marked_texts(discussion.assigned_item.item, submission, codebook),
        "shown": shown_answers(submission, codebook) if submission else None,
        "proposed_code": _proposed_code(study, discussion),
        "said": discussion.messages.select_related("author"),
        "researchers": _researchers(study),
        "neighbours": neighbours(
            queue_for(request, study, state=DiscussionState(discussion.state)).rows, discussion
        ),
        "may_change_answer": user == owner and _is_still_theirs(discussion),
        "reply_form": ReplyForm(),
    }
    return context | (_for_researchers(study, discussion) if is_researcher else {})


def _for_researchers(study: Study, discussion: Discussion) -> dict[str, object]:
    """One that was re-opened is settled again from what was said the first time."""
    asked = {
        "reason": discussion.reason,
        "proposed_code": discussion.proposed_code,
        "proposed_change": discussion.proposed_change,
    }
    return {
        "settle_form": SettleForm(codes=codes_of_study(study), initial=asked),
        "still_blind": still_blind(discussion) if discussion.shared_at is None else [],
    }


def _proposed_code(study: Study, discussion: Discussion) -> Code | None:
    return next((code for code in codes_of_study(study) if code.id == discussion.proposed_code), None)


def _submission(discussion: Discussion) -> Submission | None:
    found = Submission.objects.filter(assigned_item=discussion.assigned_item_id)
    return found.prefetch_related("judgments", "spans").first()


def _researchers(study: Study) -> set[int]:
    return set(study.memberships.filter(role__in=RESEARCHING).values_list("user_id", flat=True))


def _is_still_theirs(discussion: Discussion) -> bool:
    assigned = discussion.assigned_item
    return (
        assigned.taken_back_at is None
        and assigned.assignment.withdrawn_at is None
        and assigned.assignment.batch.state == BatchState.OPEN
    )
