"""A release says how probable each item was, also where active learning chose it."""

from __future__ import annotations

import pytest

from annotation.release.rows import DrawFact
from backend.annotate.batches.models import AssignedItem, Assignment, Batch, BatchKind
from backend.annotate.batches.requests import BatchRequest
from backend.annotate.batches.services import open_batch
from backend.decide.releases.gathering import gather
from backend.learn.active_learning.models import ChosenItem
from backend.learn.active_learning.services import open_chosen_batch
from tests.backend.annotate.batches.fixtures import add_sample
from tests.backend.learn.active_learning.fixtures import Pooled
from tests.cast import NOW

pytestmark = pytest.mark.django_db


def chosen_batch(pooled: Pooled) -> Batch:
    pooled.model_in_service()
    pooled.predicted()
    batch = open_chosen_batch(study=pooled.study, request=pooled.request(), actor=pooled.cast.rosa, now=NOW)
    pooled.annotate(batch)
    return batch


def draws_of(pooled: Pooled) -> dict[str, tuple[DrawFact, ...]]:
    return {row.item.item_id: row.item.draws for row in gather(pooled.study, with_texts=False).items}


def test_a_chosen_item_has_the_probability_of_both_draws(pooled: Pooled) -> None:
    # It drew all of them too, and nobody was given anything because of it.
    add_sample(pooled.cast, "Unused", range(100, 160))
    batch = chosen_batch(pooled)
    released = draws_of(pooled)
    assert len(released) == 10
    kept = ChosenItem.objects.filter(choice__batch=batch).select_related("item")
    assert {row.inclusion_probability for row in kept} > {1.0}
    for row in kept:
        (fact,) = released[row.item.item_id]
        assert (fact.sample, fact.batch) == ("Pool", "Chosen 1")
        assert fact.inclusion_probability == pytest.approx(0.5 * row.inclusion_probability)
        assert fact.post_probability == pytest.approx(0.5 * row.inclusion_probability)
        assert (fact.reply_probability, fact.stream) == (1, row.stream)


def test_an_item_that_another_batch_had_too_keeps_its_samples_probability(pooled: Pooled) -> None:
    batch = chosen_batch(pooled)
    first, second = (row.item for row in batch.choice.items.select_related("item")[:2])
    other = Batch.objects.create(
        study=pooled.study,
        name="Other",
        kind=BatchKind.OVERLAP,
        edition=batch.edition,
        seed=1,
        opened_by=pooled.cast.rosa,
        opened_at=NOW,
    )
    share = Assignment.objects.create(batch=other, annotator=pooled.cast.chen, assigned_at=NOW)
    AssignedItem.objects.create(assignment=share, item=first, position=0)
    released = draws_of(pooled)
    assert released[first.item_id] == (DrawFact("Pool", 0.5, 0.5, 1.0),)
    assert released[second.item_id][0].batch == "Chosen 1"


def test_a_sample_that_its_batch_was_not_made_from_is_not_named(pooled: Pooled) -> None:
    add_sample(pooled.cast, "Unused", range(100, 160))
    request = BatchRequest(name="Main", kind="main", annotators=["amal"], n=12, samples=["Pool"], seed=1)
    batch = open_batch(study=pooled.study, request=request, actor=pooled.cast.rosa, now=NOW)
    pooled.annotate(batch)
    released = draws_of(pooled)
    assert len(released) == 12
    assert set(released.values()) == {(DrawFact("Pool", 0.5, 0.5, 1.0),)}
