"""What must stay hidden from somebody who still has to judge an item, although they may read everything else.

Researchers who annotate too are blind to what others said about an item until their own answer is in. Every selector
that hands out answers asks here, and whatever address names an item is refused by `refuse_hidden_address`. What is
hidden depends on the seat and not on the role, so that changing one's role opens nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest

from backend.annotate.batches.models import AssignedItem, BatchState
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.design.samples.models import Item

# The bare texts, which annotators read anyway
TEXTS = ("studies/<slug:slug>/items/", "api/v1/studies/<slug>/items/")


class StillToJudge(PermissionDenied):
    """Who asks has to submit their own answer first."""

    def __init__(self, n_items: int = 1) -> None:
        what = (
            "You still have to judge this item"
            if n_items == 1
            else f"You still have to judge {n_items} items in it"
        )
        super().__init__(f"{what}: what others said about it opens once your own answer is in.")


def open_seats(user: User) -> QuerySet[AssignedItem]:
    """What this person still has to judge. A skip is no answer: the item can still be judged until its batch closes."""
    return (
        AssignedItem.objects.filter(
            assignment__annotator=user, assignment__withdrawn_at=None, taken_back_at=None
        )
        .exclude(assignment__batch__state=BatchState.CLOSED)
        .exclude(submission__state="submitted")
    )


def hidden_items(viewer: User | None, study: Study) -> QuerySet[Item]:
    """Of these nothing that others said may be shown to the viewer. None: nobody looks, as in a command or a job."""
    if viewer is None:
        return Item.objects.none()
    return study.items.filter(pk__in=open_seats(viewer).values("item_id"))


def hidden_keys(viewer: User | None, study: Study) -> frozenset[str]:
    """The same by `item_id`, for what is read from files."""
    return frozenset(hidden_items(viewer, study).values_list("item_id", flat=True))


def refuse_hidden(viewer: User, study: Study, item_ids: Iterable[str]) -> None:
    """For what can only be had as a whole. Raises StillToJudge."""
    if hidden := hidden_keys(viewer, study):
        n_items = len(hidden.intersection(item_ids))
        if n_items:
            raise StillToJudge(n_items)


def refuse_hidden_address(request: HttpRequest, user: User, study: Study) -> None:
    """Whatever an address does with an item that it names."""
    match = request.resolver_match
    kwargs: dict[str, Any] = match.kwargs if match else {}
    if match and "item_id" in kwargs and not match.route.startswith(TEXTS):
        refuse_hidden(user, study, [kwargs["item_id"]])
