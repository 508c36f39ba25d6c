"""Which items can be chosen from, and what the models that are asked say about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import QuerySet

from backend.annotate.batches.candidates import fresh_items
from backend.annotate.batches.errors import NoSample, UnknownSample
from backend.core.studies.models import Study
from backend.design.codebooks.selectors import asks_about_posts, codebook_of, edition_in_force
from backend.design.samples.models import Item, Sample
from backend.learn.active_learning.errors import NoCommittee, NoModel, NotPredicted, PoolEmpty
from backend.learn.active_learning.models import PoolEmbedding
from backend.learn.active_learning.requests import PoolRequest
from backend.learn.models.models import Adapter
from backend.learn.models.selectors import adapter_in_service, adapters_of
from backend.learn.prelabels.models import KeptPrediction
from backend.learn.prelabels.predicting import read_kept
from learning.learners.registry import READ_NOTHING
from learning.predictions.rows import ItemPrediction
from learning.query_strategies.names import StrategyName
from learning.query_strategies.pool import Pool, pool_of

COMMITTEE_SIZE = 3


@dataclass(frozen=True, slots=True)
class Candidates:
    """Items by id, in order, and the adapters that the strategy asks; none for random."""

    items: tuple[Item, ...]
    adapters: tuple[Adapter, ...]


def pool_items(study: Study, samples: Sequence[str]) -> QuerySet[Item]:
    """Drawn items that no batch has had, without gold, about which the codebook asks something."""
    found = fresh_items(study, _samples(study, samples))
    asked = found if asks_about_posts(edition_in_force(study)) else found.exclude(reply_text=None)
    return study.items.filter(pk__in=asked.values("pk")).order_by("item_id")


def _samples(study: Study, names: Sequence[str]) -> list[Sample]:
    if not names:
        raise NoSample
    found = list(study.samples.filter(name__in=names))
    missing = sorted(set(names) - {sample.name for sample in found})
    if missing:
        raise UnknownSample(missing)
    return found


def candidates_for(study: Study, request: PoolRequest) -> Candidates:
    adapters = adapters_asked(study, request.strategy)
    items = tuple(pool_items(study, request.samples))
    if not items:
        raise PoolEmpty
    return Candidates(items, adapters)


def adapters_asked(study: Study, strategy: StrategyName) -> tuple[Adapter, ...]:
    """The one in service; for a committee the newest others of its edition too, but none that says the same of every
    text: with those it would choose what the others are surest of."""
    if not strategy.needs_model:
        return ()
    leader = adapter_in_service(study)
    if leader is None:
        raise NoModel
    if not strategy.needs_committee:
        return (leader,)
    others = adapters_of(study).filter(edition=leader.edition_id).exclude(pk=leader.pk)
    members = [each for each in (leader, *others) if each.learner not in READ_NOTHING][:COMMITTEE_SIZE]
    if len(members) < 2:
        raise NoCommittee
    return tuple(members)


def unpredicted_items(adapter: Adapter, items: QuerySet[Item], *, embeddings: bool) -> QuerySet[Item]:
    """Those of which this adapter has not said yet what is needed; with an embedding it always says the rest."""
    if embeddings:
        return items.exclude(pk__in=PoolEmbedding.objects.filter(adapter=adapter).values("item"))
    return items.exclude(pk__in=KeptPrediction.objects.filter(adapter=adapter).values("item"))


def known_pool(candidates: Candidates, strategy: StrategyName) -> Pool:
    """Raises NotPredicted while anything is missing."""
    ids = tuple(item.item_id for item in candidates.items)
    if not candidates.adapters:
        return Pool(ids)
    by_adapter = [_predictions(adapter, candidates.items) for adapter in candidates.adapters]
    needs_embeddings = strategy.needs_embeddings
    missing = {
        item
        for known in by_adapter
        for item in ids
        if item not in known or (needs_embeddings and known[item][1] is None)
    }
    if missing:
        raise NotPredicted(len(missing), len(ids))
    leader = candidates.adapters[0]
    return pool_of(
        [[known[item][0] for item in ids] for known in by_adapter],
        codebook_of(leader.edition),
        embeddings=_vectors([by_adapter[0][item][1] for item in ids]) if needs_embeddings else None,
        labelled=_annotated_places(leader, candidates.items) if needs_embeddings else None,
    )


def _predictions(adapter: Adapter, items: Sequence[Item]) -> dict[str, tuple[ItemPrediction, bytes | None]]:
    keys = [item.pk for item in items]
    seen = PoolEmbedding.objects.filter(adapter=adapter, item__in=keys).values_list("item_id", "embedding")
    embeddings = {item: bytes(embedding) for item, embedding in seen}
    found = {}
    for kept in KeptPrediction.objects.filter(adapter=adapter, item__in=keys).select_related("item"):
        said = read_kept(kept) or ItemPrediction(kept.item.item_id, (), adapter.adapter_id)
        found[kept.item.item_id] = (said, embeddings.get(kept.item_id))
    return found


def _vectors(rows: Sequence[bytes | None]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.stack([np.frombuffer(row or b"", dtype=np.float32) for row in rows]).astype(np.float64)


def _annotated_places(
    adapter: Adapter, items: Sequence[Item]
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None:
    """Where the items lie that this adapter saw in the pool and that were given out since."""
    rows = PoolEmbedding.objects.filter(adapter=adapter)
    found = list(rows.exclude(item__in=[item.pk for item in items]).values_list("embedding", flat=True))
    return _vectors([bytes(row) for row in found]) if found else None
