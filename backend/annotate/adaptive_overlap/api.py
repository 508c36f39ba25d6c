"""The call that says how far an adaptive overlap is."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from ninja import Field, Router, Schema

from annotation.adaptive_overlap import Standing
from backend.annotate.adaptive_overlap.selectors import overlap_state
from backend.annotate.batches.selectors import batch_of
from backend.core.studies.access import RESEARCHER, study_of

router = Router(auth=RESEARCHER)


class OverlapOut(Schema):
    start_with: int
    at_most: int
    sure_at: float
    budget: int | None
    n_items: int
    answers: int = Field(description="That came or are waited for.")
    most_answers: int
    asked_again: int = Field(description="Items about which somebody was asked because of the first answers.")
    items: dict[Standing, list[str]] = Field(description="Items by where they are.")


@router.get("{int:batch_id}/adaptive-overlap", response=OverlapOut)
def read_overlap(request: HttpRequest, batch_id: int) -> OverlapOut:
    """Which items are sure, waiting, or open for good."""
    state = overlap_state(batch_of(study_of(request), batch_id))
    if state is None:
        raise Http404("This batch is no adaptive overlap.")
    return OverlapOut(
        start_with=state.policy.start_with,
        at_most=state.policy.at_most,
        sure_at=state.policy.sure_at,
        budget=state.policy.budget,
        n_items=len(state.items),
        answers=state.n_seats,
        most_answers=state.most_answers,
        asked_again=len(state.again),
        items={each: [item for item, found in state.standing.items() if found is each] for each in Standing},
    )
