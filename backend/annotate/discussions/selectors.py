"""What pages, calls and releases read about discussions: who may see which, and which keep an item back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import Http404

from backend.annotate.batches.blindness import hidden_items
from backend.annotate.batches.models import AssignedItem
from backend.annotate.batches.selectors import FLAGGED, unfinished_work
from backend.annotate.discussions.models import Discussion, DiscussionState
from backend.core.accounts.models import User
from backend.core.studies.access import role_in
from backend.core.studies.models import Study, StudyRole
from backend.design.codebooks.selectors import codebook_of, latest_edition
from backend.design.samples.models import Item
from codebook.schema import Code

# How long an annotator sees beside their work what was settled
LATELY = timedelta(days=14)


def discussions_for(user: User, study: Study) -> QuerySet[Discussion]:
    return visible_discussions(user, study, role_in(user, study))


def visible_discussions(user: User, study: Study, role: StudyRole | None) -> QuerySet[Discussion]:
    """A researcher reads all, an annotator their own and what is shared; nobody about what they still have to judge."""
    all_of_study = Discussion.objects.filter(assigned_item__assignment__batch__study=study).select_related(
        "assigned_item__item",
        "assigned_item__assignment__annotator",
        "assigned_item__assignment__batch__edition",
    )
    own = Q(assigned_item__assignment__annotator=user)
    shared = Q() if role == StudyRole.RESEARCHER else Q(shared_at__isnull=False)
    return all_of_study.filter(own | (shared & ~Q(assigned_item__item__in=hidden_items(user, study))))


def discussion_for(user: User, study: Study, discussion_id: int) -> Discussion:
    found = discussions_for(user, study).select_related("settled_by").filter(pk=discussion_id).first()
    if found is None:
        raise Http404("There is no such discussion, or it is not shared with you.")
    return found


def still_blind(discussion: Discussion) -> list[User]:
    """The other annotators who still have to judge the item, for whom a shared discussion would give away answers."""
    own = discussion.assigned_item
    work = (
        unfinished_work().filter(item_id=own.item_id).exclude(assignment__annotator=annotator_of(discussion))
    )
    return list(User.objects.filter(pk__in=work.values("assignment__annotator")).order_by("username"))


def annotator_of(discussion: Discussion) -> User:
    return discussion.assigned_item.assignment.annotator


def study_of_discussion(discussion: Discussion) -> Study:
    return discussion.assigned_item.assignment.batch.study


def waits_for(discussion: Discussion, user: User, *, is_researcher: bool) -> bool:
    """Whether it is this person's turn to say something."""
    if annotator_of(discussion) == user:
        return discussion.state == DiscussionState.WAITING
    return is_researcher and discussion.state == DiscussionState.OPEN


def waiting_for(user: User, study: Study, role: StudyRole | None) -> QuerySet[Discussion]:
    """Where it is this person's turn; for the badge beside “Discussions”."""
    own = Q(assigned_item__assignment__annotator=user)
    turn = own & Q(state=DiscussionState.WAITING)
    if role == StudyRole.RESEARCHER:
        turn |= ~own & Q(state=DiscussionState.OPEN)
    return visible_discussions(user, study, role).filter(turn)


def work_page_context(user: User, study: Study, now: datetime) -> dict[str, object]:
    return {
        "discussions": own_unsettled(user, study),
        "settled": own_settled_since(user, study, now - LATELY),
    }


def own_unsettled(user: User, study: Study) -> QuerySet[Discussion]:
    return _own(user, study).filter(state__in=[DiscussionState.OPEN, DiscussionState.WAITING])


def own_settled_since(user: User, study: Study, since: datetime) -> QuerySet[Discussion]:
    """What a researcher decided about this person's flags of late, latest first."""
    settled = _own(user, study).filter(state=DiscussionState.SETTLED, settled_at__gte=since)
    return settled.select_related("settled_by").order_by("-settled_at", "-pk")


def _own(user: User, study: Study) -> QuerySet[Discussion]:
    return discussions_for(user, study).filter(assigned_item__assignment__annotator=user)


def counts_by_state(discussions: QuerySet[Discussion]) -> dict[DiscussionState, int]:
    found = dict(discussions.order_by().values_list("state").annotate(n=Count("pk")))
    return {state: found.get(state.value, 0) for state in DiscussionState}


def unsettled_items(study: Study) -> QuerySet[Item]:
    """Items with a flag that nobody settled, be the answer beside it sound or not: a release leaves them out."""
    return study.items.filter(Exists(unsettled_flags().filter(item=OuterRef("pk"))))


def unsettled_flags() -> QuerySet[AssignedItem]:
    """The same by who flagged; a flag of which no discussion was opened yet counts too."""
    return AssignedItem.objects.filter(FLAGGED).exclude(discussion__state=DiscussionState.SETTLED)


def flagged_by(item: Item) -> list[User]:
    """Whose flag on the item nobody has settled."""
    flags = unsettled_flags().filter(item=item)
    return list(User.objects.filter(pk__in=flags.values("assignment__annotator")).order_by("pk"))


def proposals(study: Study, viewer: User | None = None) -> QuerySet[Discussion]:
    """Settled discussions that ask for another wording in the codebook, newest first, as far as the viewer may read."""
    return (
        Discussion.objects.filter(
            assigned_item__assignment__batch__study=study, state=DiscussionState.SETTLED
        )
        .exclude(proposed_change="")
        .exclude(assigned_item__item__in=hidden_items(viewer, study))
        .select_related("assigned_item__item", "assigned_item__assignment__annotator", "settled_by")
        .order_by("-settled_at", "-pk")
    )


@dataclass(frozen=True, slots=True)
class Proposal:
    """`is_pending`: settled since the newest edition, so that it is for the next one. Earlier ones may be in it."""

    discussion: Discussion
    settled_at: datetime
    is_pending: bool


def proposals_by_edition(study: Study, viewer: User) -> list[Proposal]:
    edition = latest_edition(study)
    return [
        Proposal(found, found.settled_at, edition is None or found.settled_at > edition.created_at)
        for found in proposals(study, viewer)
        if found.settled_at is not None
    ]


def codes_of_study(study: Study) -> tuple[Code, ...]:
    """The codes of the newest edition, which is the one that the next edition changes."""
    edition = latest_edition(study)
    return tuple(code for _, code in codebook_of(edition).coded_questions()) if edition else ()
