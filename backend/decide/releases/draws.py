"""How each item came to be judged, and how probable that was, whatever drew it: a sample, or a batch from its pool."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from django.db.models import QuerySet

from annotation.release.rows import DrawFact
from backend.annotate.batches.models import AssignedItem, Batch
from backend.decide.hooks import ChosenDraw, chosen_draws
from backend.design.samples.models import Draw, Sample

Facts = tuple[DrawFact, ...]


def draw_facts(items: Collection[int], given: QuerySet[AssignedItem]) -> dict[int, Facts]:
    """By item. `given` are the shares that count: an item that active learning alone brought in has the probability
    of both draws, and one that somebody got in another batch too has that of its samples. Samples that none of its
    batches was made from did not bring an item to anybody."""
    batches = _batches(items, given)
    draws: dict[int, list[Draw]] = defaultdict(list)
    for draw in Draw.objects.filter(item__in=items).select_related("sample").order_by("sample__name"):
        if any(is_made_from(batch, draw.sample) for batch in batches[draw.item_id]):
            draws[draw.item_id].append(draw)
    chosen = _chosen_alone(items, batches)
    return {
        item: _through_batch(draws[item], chosen[item]) if item in chosen else _through_samples(draws[item])
        for item in items
    }


def is_made_from(batch: Batch, sample: Sample) -> bool:
    """Whether its items were dealt as this sample's. A batch that says nothing of samples took what these had."""
    choice = getattr(batch, "choice", None)
    named = choice.samples if choice else batch.request.get("samples")
    return not named or sample.name in named


def _batches(items: Collection[int], given: QuerySet[AssignedItem]) -> dict[int, set[Batch]]:
    rows = list(given.filter(item__in=items).values_list("item_id", "assignment__batch_id"))
    known = Batch.objects.select_related("choice").in_bulk({batch for _, batch in rows})
    found: dict[int, set[Batch]] = defaultdict(set)
    for item, batch in rows:
        found[item].add(known[batch])
    return found


def _chosen_alone(items: Collection[int], batches: dict[int, set[Batch]]) -> dict[int, ChosenDraw]:
    """A batch leaves the pool, so that no item is chosen twice."""
    return {
        item: draw
        for found in chosen_draws(items)
        for item, draws in found.items()
        for draw in draws
        if {batch.pk for batch in batches[item]} == {draw.batch_id}
    }


def _through_samples(draws: Iterable[Draw]) -> Facts:
    return tuple(
        DrawFact(draw.sample.name, draw.inclusion_probability, draw.post_probability, draw.reply_probability)
        for draw in draws
    )


def _through_batch(draws: Iterable[Draw], chosen: ChosenDraw) -> Facts:
    batch, probability = chosen.batch_name, chosen.inclusion_probability
    return tuple(
        DrawFact(
            draw.sample.name,
            draw.inclusion_probability * probability,
            draw.post_probability * probability,
            draw.reply_probability,
            batch,
            chosen.stream,
        )
        for draw in draws
    )
