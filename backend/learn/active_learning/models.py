"""Where models see the items of the pool, how each active batch was chosen, and readings of the savings meter."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from backend.annotate.batches.models import Batch
from backend.core.studies.models import Study
from backend.design.samples.models import Item
from backend.learn.models.models import Adapter
from learning.query_strategies.names import Aim, StrategyName, Stream

STRATEGIES = [(name.value, name.value) for name in StrategyName]


class PoolEmbedding(models.Model):
    """Where an adapter sees an item among the others; what it says about it is a kept prediction."""

    adapter = models.ForeignKey(Adapter, on_delete=models.CASCADE, related_name="pool_embeddings")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="pool_embeddings")
    embedding = models.BinaryField(help_text="float32")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="embedded_once_by_adapter", fields=["adapter", "item"]),
        ]

    def __str__(self) -> str:
        return f"{self.item} as {self.adapter} sees it"


class Choice(models.Model):
    """How the items of an active batch were chosen; a database trigger refuses to rewrite it."""

    batch = models.OneToOneField(Batch, on_delete=models.CASCADE, related_name="choice")
    strategy = models.CharField(max_length=40, choices=STRATEGIES)
    random_share = models.FloatField()
    per_cost = models.BooleanField()
    adapters = models.JSONField(help_text="Ids of the adapters that were asked, the one in service first.")
    samples = models.JSONField(help_text="Names of the samples that the pool was made of.")
    n_pool = models.PositiveIntegerField()
    seed = models.BigIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="choice_strategy_known", condition=Q(strategy__in=[each.value for each in StrategyName])
            ),
            models.CheckConstraint(
                name="choice_always_random", condition=Q(random_share__gt=0, random_share__lte=1)
            ),
        ]

    @property
    def aim(self) -> Aim | None:
        return StrategyName(self.strategy).aim

    def __str__(self) -> str:
        return f"{self.strategy} for {self.batch}"


class ChosenItem(models.Model):
    """An item of an active batch: by which stream it came, and how probable that was; rows never change."""

    choice = models.ForeignKey(Choice, on_delete=models.CASCADE, related_name="items")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="chosen")
    stream = models.CharField(max_length=10, choices=[(each.value, each.value) for each in Stream])
    rank = models.PositiveIntegerField(help_text="Place in the draw, the random stream first.")
    score = models.FloatField()
    inclusion_probability = models.FloatField(help_text="Of coming into the batch, given the pool.")
    cost = models.FloatField(help_text="Expected minutes of work.")

    class Meta:
        ordering: ClassVar = ["choice", "rank"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="chosen_once", fields=["choice", "item"]),
            models.UniqueConstraint(name="rank_once_per_choice", fields=["choice", "rank"]),
            models.CheckConstraint(
                name="chosen_stream_known", condition=Q(stream__in=[each.value for each in Stream])
            ),
            models.CheckConstraint(
                name="chosen_probability_in_range",
                condition=Q(inclusion_probability__gt=0, inclusion_probability__lte=1),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item} by the {self.stream} stream"


class SavingsReading(models.Model):
    """What the savings meter showed on the labels of a moment; the same labels are measured once."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="savings_readings")
    inputs_hash = models.CharField(max_length=64, help_text="Of the labels and of what was asked.")
    content = models.TextField(help_text="The reading as the ML backend wrote it, JSON.")
    series = models.PositiveIntegerField(null=True, help_text="Readings that share one level.")
    look = models.PositiveIntegerField(
        null=True, help_text="Which of its series; empty if it could claim nothing."
    )
    n_items = models.PositiveIntegerField(help_text="How many items had labels.")
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    measured_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-measured_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="savings_measured_once", fields=["study", "inputs_hash"]),
            models.UniqueConstraint(name="savings_look_spent_once", fields=["study", "series", "look"]),
        ]

    def __str__(self) -> str:
        return f"Savings in {self.study}"
