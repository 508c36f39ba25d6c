"""What pages and calls read about samples and items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Avg, Count, Max, Min, Q, QuerySet
from django.http import Http404

from annotation.answers import ItemText
from backend.core.studies.models import Study
from backend.design.samples.models import Draw, Item, Sample


@dataclass(frozen=True)
class CommunityDraws:
    community: str
    items: int
    without_reply: int
    lowest: float
    mean: float
    highest: float


def sample_of(study: Study, sample_id: int) -> Sample:
    sample = study.samples.select_related("corpus", "created_by").filter(pk=sample_id).first()
    if sample is None:
        raise Http404("This study has no such sample.")
    return sample


def item_text(item: Item) -> ItemText:
    """The item as the rooms without a database know it."""
    return ItemText(item.item_id, item.title, item.post_text, item.reply_text)


def item_of(study: Study, item_id: str) -> Item:
    item = study.items.filter(item_id=item_id).first()
    if item is None:
        raise Http404("This study has no such item.")
    return item


def draws_by_community(sample: Sample) -> list[CommunityDraws]:
    rows = (
        sample.draws.values("item__community")
        .annotate(
            items=Count("pk"),
            without_reply=Count("pk", filter=Q(item__reply_id=None)),
            lowest=Min("inclusion_probability"),
            mean=Avg("inclusion_probability"),
            highest=Max("inclusion_probability"),
        )
        .order_by("item__community")
    )
    return [
        CommunityDraws(
            community=row["item__community"],
            items=row["items"],
            without_reply=row["without_reply"],
            lowest=row["lowest"],
            mean=row["mean"],
            highest=row["highest"],
        )
        for row in rows
    ]


def draws_of(sample: Sample, community: str = "") -> QuerySet[Draw]:
    draws = sample.draws.select_related("item").order_by("position")
    return draws.filter(item__community=community) if community else draws


EXPORT_COLUMNS = (
    "item_id",
    "position",
    "platform",
    "community",
    "post_id",
    "reply_id",
    "post_probability",
    "reply_probability",
    "inclusion_probability",
)
TEXT_COLUMNS = ("title", "post_text", "reply_text")


def export_rows(sample: Sample, *, with_text: bool) -> Iterator[dict[str, str | int | float | None]]:
    """Texts are sensitive: they leave only when asked for."""
    for draw in draws_of(sample).iterator(chunk_size=2000):
        item = draw.item
        row: dict[str, str | int | float | None] = {
            "item_id": item.item_id,
            "position": draw.position,
            "platform": item.platform,
            "community": item.community,
            "post_id": item.post_id,
            "reply_id": item.reply_id,
            "post_probability": draw.post_probability,
            "reply_probability": draw.reply_probability,
            "inclusion_probability": draw.inclusion_probability,
        }
        if with_text:
            row |= {"title": item.title, "post_text": item.post_text, "reply_text": item.reply_text}
        yield row
