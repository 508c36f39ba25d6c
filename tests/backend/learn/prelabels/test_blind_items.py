"""Blind items decide on promotions too, unless a model has seen them or their post."""

from __future__ import annotations

import pytest

from backend.annotate.batches.models import Batch
from backend.design.samples.models import Item
from backend.learn.models.held_out import blind_items_for
from backend.learn.prelabels.models import ConditionAssignment
from learning.adapters.folder import read_seen
from learning.prelabel_experiment.values import Condition
from tests.backend.learn.prelabels.fixtures import Bench
from tests.cast import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def seal(batch: Batch, items: list[Item], condition: Condition) -> None:
    ConditionAssignment.objects.bulk_create(
        ConditionAssignment(batch=batch, item=item, condition=condition, drawn_at=NOW) for item in items
    )


def test_blind_items_of_posts_that_nobody_learned_from_are_named(bench: Bench) -> None:
    assert blind_items_for(bench.first, None) is None
    batch = bench.batch()
    seal(batch, bench.items[:6], Condition.BLIND)
    seal(batch, bench.items[6:], Condition.SUGGESTED)
    blind = sorted(item.item_id for item in bench.items[:6])
    asked = blind_items_for(bench.first, bench.second)
    assert asked is not None
    assert asked.item_ids == tuple(blind)
    release = bench.first.release
    assert (asked.release, asked.release_hash) == (str(release.folder), release.hash)
    # Another reply to a post that both learned from.
    learned = bench.study.items.get(item_id=min(read_seen(bench.second.folder).all()))
    other = Item.objects.create(
        study=bench.study,
        item_id="another-reply",
        platform=learned.platform,
        community=learned.community,
        post_id=learned.post_id,
        reply_id="another",
        reply_text="Oh.",
    )
    seal(batch, [other, learned], Condition.BLIND)
    assert blind_items_for(bench.first, bench.second) == asked


def test_an_item_that_was_suggested_in_another_batch_is_not_blind(bench: Bench) -> None:
    seal(bench.batch(), bench.items[:6], Condition.BLIND)
    seal(bench.batch(name="Another"), bench.items[:1], Condition.SUGGESTED)
    asked = blind_items_for(bench.first, None)
    assert asked is not None and len(asked.item_ids) == 5
    assert bench.items[0].item_id not in asked.item_ids
