"""Choosing a batch from the pool: what is kept, what is refused, and that it adds up."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from backend.annotate.batches.errors import NameTaken, NoSample, PlanChanged, UnknownSample
from backend.annotate.batches.models import AssignedItem, BatchKind
from backend.learn.active_learning.choosing import n_found, plan_choice
from backend.learn.active_learning.errors import CannotChoose, NoCommittee, NoModel, NotPredicted, PoolEmpty
from backend.learn.active_learning.models import Choice, ChosenItem, PoolEmbedding
from backend.learn.active_learning.pool import adapters_asked
from backend.learn.active_learning.selectors import pool_state
from backend.learn.active_learning.services import open_chosen_batch
from backend.learn.prelabels.models import KeptPrediction
from backend.learn.prelabels.predicting import unpredicted_items
from learning.query_strategies.names import Aim, StrategyName, Stream
from tests.backend.learn.active_learning.fixtures import Pooled
from tests.backend.learn.models.fixtures import EPITOME, train
from tests.cast import NOW

pytestmark = pytest.mark.django_db


def test_chance_chooses_without_a_model(pooled: Pooled) -> None:
    asked = pooled.request(StrategyName.RANDOM)
    batch = open_chosen_batch(study=pooled.study, request=asked, actor=pooled.cast.rosa, now=NOW)
    assert batch.kind == BatchKind.ACTIVE and batch.choice.n_pool == 60
    rows = list(batch.choice.items.all())
    assert len(rows) == 10 and {row.stream for row in rows} == {Stream.RANDOM.value}
    assert {row.inclusion_probability for row in rows} == {10 / 60}
    given = AssignedItem.objects.filter(assignment__batch=batch).values_list("item_id", flat=True)
    assert sorted(given) == sorted(row.item_id for row in rows)


def test_a_model_chooses_what_it_predicted(pooled: Pooled) -> None:
    adapter = pooled.model_in_service()
    with pytest.raises(NotPredicted, match="60 of 60 items"):
        plan_choice(study=pooled.study, request=pooled.request(), now=NOW)
    done = pooled.predicted()
    assert done.state == "done" and done.result and done.result["predicted"] == 60, done.error
    assert pool_state(pooled.study).n_predicted == 60

    plan = plan_choice(study=pooled.study, request=pooled.request(), now=NOW)
    assert (plan.n_random, plan.n_strategy) == (3, 7) and plan.lowest_probability == pytest.approx(3 / 60)
    batch = open_chosen_batch(
        study=pooled.study, request=pooled.request(), actor=pooled.cast.rosa, now=NOW, seen=plan.batch.hash
    )
    choice = Choice.objects.get(batch=batch)
    assert choice.adapters == [adapter.adapter_id] and choice.samples == ["Pool"]
    rows = list(choice.items.select_related("item"))
    assert [row.rank for row in rows] == list(range(1, 11))
    assert [row.stream for row in rows] == ["random"] * 3 + ["strategy"] * 7
    assert [row.item.item_id for row in rows] == [item.item_id for item in plan.draw.chosen]
    assert all(row.inclusion_probability == 1 for row in rows[3:8])
    assert all(row.cost > 0 for row in rows)


def test_no_item_is_predicted_twice_by_the_same_adapter(pooled: Pooled) -> None:
    pooled.model_in_service()
    pooled.predicted()
    again = pooled.predicted(StrategyName.MARGIN)
    assert again.result and again.result["predicted"] == 0
    with_embeddings = pooled.predicted(StrategyName.K_CENTRE)
    assert with_embeddings.result and with_embeddings.result["predicted"] == 60
    assert KeptPrediction.objects.count() == PoolEmbedding.objects.count() == 60


@pytest.mark.parametrize("strategy", [name for name in StrategyName if name is not StrategyName.RANDOM])
def test_every_strategy_chooses(pooled: Pooled, strategy: StrategyName) -> None:
    if strategy.needs_committee:
        pooled.model_in_service(seed=2, options={"strength": 3})
    pooled.model_in_service()
    pooled.predicted(strategy)
    plan = plan_choice(study=pooled.study, request=pooled.request(strategy, per_cost=True), now=NOW)
    # To estimate with, all of them come by chance, in the measure of their scores
    drawn = (0, 10) if strategy.aim is Aim.ESTIMATE else (3, 7)
    assert (plan.n_random, plan.n_strategy) == drawn
    assert len(plan.candidates.adapters) == (2 if strategy.needs_committee else 1)


def test_baselines_that_read_nothing_sit_in_no_committee(pooled: Pooled) -> None:
    older = train(pooled.release, "tfidf-logistic", seed=2)
    leader = pooled.model_in_service()
    for baseline in ("majority", "random"):
        train(pooled.release, baseline)
    assert adapters_asked(pooled.study, StrategyName.COMMITTEE) == (leader, older)
    older.delete()
    with pytest.raises(NoCommittee, match="majority and random"):
        adapters_asked(pooled.study, StrategyName.COMMITTEE)


def test_a_batch_leaves_the_pool_and_the_next_is_drawn_from_the_rest(pooled: Pooled) -> None:
    pooled.model_in_service()
    pooled.predicted(StrategyName.K_CENTRE)
    first = open_chosen_batch(
        study=pooled.study,
        request=pooled.request(StrategyName.K_CENTRE),
        actor=pooled.cast.rosa,
        now=NOW,
    )
    second = open_chosen_batch(
        study=pooled.study,
        request=pooled.request(StrategyName.K_CENTRE, name="Chosen 2"),
        actor=pooled.cast.rosa,
        now=NOW,
    )
    assert second.choice.n_pool == 50
    items = [set(batch.choice.items.values_list("item_id", flat=True)) for batch in (first, second)]
    assert not items[0] & items[1]


def test_how_a_batch_was_chosen_cannot_be_rewritten(pooled: Pooled) -> None:
    asked = pooled.request(StrategyName.RANDOM)
    open_chosen_batch(study=pooled.study, request=asked, actor=pooled.cast.rosa, now=NOW)
    with pytest.raises(IntegrityError), transaction.atomic():
        Choice.objects.update(random_share=0.9)
    with pytest.raises(IntegrityError), transaction.atomic():
        ChosenItem.objects.update(inclusion_probability=0.9)


def test_what_changed_since_it_was_seen_is_not_opened(pooled: Pooled) -> None:
    asked = pooled.request(StrategyName.RANDOM)
    seen = plan_choice(study=pooled.study, request=asked, now=NOW).batch.hash
    other = pooled.request(StrategyName.RANDOM, name="Other", seed=9)
    open_chosen_batch(study=pooled.study, request=other, actor=pooled.cast.rosa, now=NOW)
    with pytest.raises(PlanChanged):
        open_chosen_batch(study=pooled.study, request=asked, actor=pooled.cast.rosa, now=NOW, seen=seen)
    assert Choice.objects.count() == 1
    with pytest.raises(NameTaken):
        open_chosen_batch(study=pooled.study, request=other, actor=pooled.cast.rosa, now=NOW)


def test_what_cannot_be_chosen_says_what_to_do(pooled: Pooled) -> None:
    def refused(strategy: StrategyName = StrategyName.ENTROPY, **changes: object) -> None:
        plan_choice(study=pooled.study, request=pooled.request(strategy, **changes), now=NOW)

    with pytest.raises(NoModel, match="choose “random”"):
        refused()
    with pytest.raises(NoSample):
        refused(strategy=StrategyName.RANDOM, samples=[])
    with pytest.raises(UnknownSample):
        refused(strategy=StrategyName.RANDOM, samples=["Nowhere"])
    with pytest.raises(CannotChoose, match="61 items of a pool of 60"):
        refused(strategy=StrategyName.RANDOM, n=61)
    pooled.model_in_service()
    with pytest.raises(NoCommittee, match="two or more adapters"):
        refused(strategy=StrategyName.COMMITTEE)
    everything = pooled.request(StrategyName.RANDOM, n=60)
    open_chosen_batch(study=pooled.study, request=everything, actor=pooled.cast.rosa, now=NOW)
    with pytest.raises(PoolEmpty, match="draw a new sample"):
        refused(strategy=StrategyName.RANDOM, name="More")


def test_themes_are_counted_by_items(pooled: Pooled) -> None:
    asked = pooled.request(StrategyName.RANDOM, n=12)
    batch = open_chosen_batch(study=pooled.study, request=asked, actor=pooled.cast.rosa, now=NOW)
    pooled.annotate(batch)
    numbers = [int(row.item.item_id[5:]) for row in batch.choice.items.select_related("item")]
    expected = sum(number % 3 > 0 for number in numbers)
    assert n_found(pooled.study, EPITOME)["explorations"] == expected


def test_what_was_predicted_for_the_pool_is_not_predicted_again_for_suggestions(pooled: Pooled) -> None:
    adapter = pooled.model_in_service()
    pooled.predicted()
    batch = open_chosen_batch(study=pooled.study, request=pooled.request(), actor=pooled.cast.rosa, now=NOW)
    assert unpredicted_items(batch, adapter) == []
