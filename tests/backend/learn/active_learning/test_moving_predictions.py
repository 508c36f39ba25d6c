"""What was kept twice is kept once, and nothing of it is lost on the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from backend.learn.active_learning.models import PoolEmbedding
from backend.learn.prelabels.models import KeptPrediction
from backend.learn.prelabels.predicting import keep_predictions
from tests.backend.learn.active_learning.scene import Pooled
from tests.cast import NOW

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
BEFORE = [("active", "0002_frozen_rows")]


def migrate(targets: list[tuple[str, str]]) -> Any:
    executor = MigrationExecutor(connection)
    return executor.migrate(targets).apps


@pytest.fixture
def earlier(pooled: Pooled) -> Iterator[Any]:
    """The tables as they were; they are brought up to date again whatever happens."""
    newest = [key for key in MigrationExecutor(connection).loader.graph.leaf_nodes() if key[0] == "active"]
    try:
        yield migrate(BEFORE)
    finally:
        migrate(newest)


def test_predictions_of_the_pool_move_and_embeddings_stay(pooled: Pooled, earlier: Any) -> None:
    adapter = pooled.model_in_service()
    first, second, third = pooled.study.items.order_by("pk")[:3]
    keep_predictions(adapter=adapter, items=[first], found=[], now=NOW)
    pool = earlier.get_model("active", "PoolPrediction").objects
    pool.create(adapter_id=adapter.pk, item_id=first.pk, prediction="said later")
    pool.create(adapter_id=adapter.pk, item_id=second.pk, prediction="said")
    pool.create(adapter_id=adapter.pk, item_id=third.pk, prediction="", embedding=b"\0\0\0\0")
    migrate([("active", "0004_pool_embeddings")])
    kept = KeptPrediction.objects.values_list("item_id", "content")
    # What a suggestion was made from stays as it was.
    assert dict(kept) == {first.pk: "", second.pk: "said", third.pk: ""}
    assert [(row.item_id, bytes(row.embedding)) for row in PoolEmbedding.objects.all()] == [
        (third.pk, b"\0\0\0\0")
    ]
