"""Calls that read what became of a batch, item by item."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Field, Router, Schema

from backend.annotate.batches.item_states import ItemRow, ItemState, item_rows, items_of
from backend.annotate.batches.models import Assignment
from backend.annotate.batches.selectors import batch_of
from backend.core.accounts.access import user_of
from backend.core.studies.access import RESEARCHER, study_of
from backend.core.web.addresses import page

router = Router(auth=RESEARCHER)


class CellOut(Schema):
    state: ItemState
    is_flagged: bool


class BatchItemOut(Schema):
    item: str
    states: dict[str, CellOut] = Field(description="By log-in name; only annotators who were given the item.")

    @classmethod
    def of(cls, row: ItemRow, shares: list[Assignment]) -> BatchItemOut:
        states = {
            share.annotator.username: CellOut(state=cell.state, is_flagged=cell.is_flagged)
            for share, cell in zip(shares, row.cells, strict=True)
            if cell.state is not ItemState.NOT_THEIRS
        }
        return cls(item=row.item.item_id, states=states)


@router.get("{int:batch_id}/items", response=list[BatchItemOut])
def list_items(
    request: HttpRequest,
    batch_id: int,
    limit: int = 200,
    offset: int = 0,
) -> list[BatchItemOut]:
    """What each annotator did with each item, in an order that stays the same."""
    batch = batch_of(study_of(request), batch_id)
    shares = list(batch.assignments.select_related("annotator").order_by("annotator__username"))
    items = list(items_of(batch)[page(limit, offset)])
    return [BatchItemOut.of(row, shares) for row in item_rows(items, shares, user_of(request))]
