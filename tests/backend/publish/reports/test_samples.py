"""What batches took of a sample is read in the order of their opening, whatever they are named."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from backend.annotate.batches.models import Batch
from backend.annotate.batches.requests import BatchRequest
from backend.annotate.batches.services import open_batch
from backend.learn.active_learning.services import open_chosen_batch
from backend.publish.reports.samples import sample_facts
from learning.query_strategies.names import StrategyName
from tests.backend.annotate.batches.fixtures import add_gold, add_sample
from tests.backend.learn.active_learning.fixtures import Pooled, pooled_study
from tests.cast import NOW, Cast

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(days=9)


@pytest.fixture
def pooled(cast: Cast, tmp_path: Path) -> Pooled:
    return pooled_study(cast, tmp_path / "made")


def dealt(pooled: Pooled, name: str, *, days: int, samples: tuple[str, ...] = ("Pool",)) -> Batch:
    request = BatchRequest(
        name=name, kind="main", annotators=["amal"], n=12, samples=list(samples), seed=days
    )
    when = NOW + timedelta(days=days)
    return open_batch(study=pooled.study, request=request, actor=pooled.cast.rosa, now=when)


def test_each_batch_is_a_stage_in_the_order_of_opening(pooled: Pooled) -> None:
    add_sample(pooled.cast, "Unused", range(100, 130))
    first = dealt(pooled, "Zebra", days=1)
    asked = pooled.request(StrategyName.RANDOM, n=10)
    open_chosen_batch(study=pooled.study, request=asked, actor=pooled.cast.rosa, now=NOW + timedelta(days=2))
    dealt(pooled, "Ant", days=3)
    Batch.objects.filter(pk=first.pk).update(name="Renamed")
    facts = sample_facts(pooled.study, until=LATER)
    pool, unused = facts["Pool"], facts["Unused"]
    assert [(batch.name, batch.is_chosen, len(batch.items)) for batch in pool.batches] == [
        ("Renamed", False, 12),
        ("Chosen 1", True, 10),
        ("Ant", False, 12),
    ]
    assert len(pool.items) == 60 and pool.items["item-100"].post_probability == 0.5
    assert {drawn and drawn[1] for drawn in pool.batches[1].items.values()} == {10 / 48}
    assert all(drawn is None for drawn in pool.batches[0].items.values())
    assert all(batch.is_of_sample for batch in pool.batches)
    assert not any(batch.is_of_sample for batch in unused.batches), "nothing was dealt because of it"
    assert all(set(batch.items) <= set(unused.items) for batch in unused.batches)
    then = sample_facts(pooled.study, until=NOW + timedelta(days=2))
    assert len(then["Pool"].batches) == 2, "what came since makes no difference"


def test_golden_items_for_practice_are_set_aside(pooled: Pooled) -> None:
    batch = dealt(pooled, "Main", days=1)
    add_gold(pooled.cast, batch.edition, 100)
    found = sample_facts(pooled.study, until=LATER)["Pool"]
    assert found.set_aside == {"item-100"}
    assert not any("item-100" in batch.items for batch in found.batches)
