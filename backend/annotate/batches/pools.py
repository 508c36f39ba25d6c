"""From which items a batch that asks something for the first time is dealt, and why not from others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from backend.annotate.batches import errors
from backend.annotate.batches.candidates import fresh_items, golden_items, used_items
from backend.annotate.batches.models import BatchKind
from backend.annotate.batches.requests import BatchRequest
from backend.annotate.batches.selectors import unfinished_work
from backend.core.studies.models import Study
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import asks_about_posts
from backend.design.samples.models import Item, Sample


@dataclass(frozen=True, slots=True)
class Pool:
    """Item ids in order; `left_out` are those about which the codebook asks nothing."""

    items: tuple[str, ...]
    left_out: int


def pool_for(edition: Edition, request: BatchRequest, annotators: Sequence[str]) -> Pool:
    kind, study = BatchKind(request.kind), edition.study
    if kind == BatchKind.PRACTICE:
        found = _gold_items(edition, annotators)
    elif kind == BatchKind.ACTIVE:
        found = _named_items(study, request.items)
    else:
        found = fresh_items(study, _samples(study, request.samples))
    return _answerable(found, edition)


def _answerable(found: QuerySet[Item], edition: Edition) -> Pool:
    """A codebook that asks about replies alone has no question for an item without one."""
    asked = found if asks_about_posts(edition) else found.exclude(reply_text=None)
    items = tuple(asked.order_by("item_id").values_list("item_id", flat=True).distinct())
    left_out = found.values("pk").distinct().count() - len(items)
    if left_out and not items:
        raise errors.NothingToAnswer(left_out)
    return Pool(items, left_out)


def _gold_items(edition: Edition, annotators: Sequence[str]) -> QuerySet[Item]:
    """Not while one of them has such an item to judge elsewhere: feedback would give the answer away."""
    golden = golden_items(edition.study, edition)
    if not golden.exists():
        raise errors.NothingToPractise
    open_elsewhere = (
        unfinished_work()
        .filter(item__in=golden.values("pk"), assignment__annotator__username__in=annotators)
        .exclude(assignment__batch__kind=BatchKind.PRACTICE)
        .select_related("item", "assignment__batch", "assignment__annotator")
    )
    place = open_elsewhere.order_by("assignment_id", "position").first()
    if place is not None:
        share = place.assignment
        raise errors.GoldStillAsked(share.batch.name, str(share.annotator), place.item.item_id)
    return golden


def _samples(study: Study, names: Sequence[str]) -> list[Sample]:
    if not names:
        raise errors.NoSample
    found = list(study.samples.filter(name__in=names))
    missing = sorted(set(names) - {sample.name for sample in found})
    if missing:
        raise errors.UnknownSample(missing)
    return found


def _named_items(study: Study, item_ids: Sequence[str]) -> QuerySet[Item]:
    if not item_ids:
        raise errors.NoItems
    named = study.items.filter(item_id__in=item_ids)
    unknown = sorted(set(item_ids) - set(named.values_list("item_id", flat=True)))
    if unknown:
        raise errors.UnknownItems(unknown)
    golden = golden_items(study).filter(item_id__in=item_ids).values_list("item_id", flat=True)
    if golden:
        raise errors.ItemsHaveGold(sorted(set(golden)))
    taken = used_items(study).filter(item__item_id__in=item_ids).values_list("item__item_id", flat=True)
    if taken:
        raise errors.ItemsTaken(sorted(set(taken)))
    return named
