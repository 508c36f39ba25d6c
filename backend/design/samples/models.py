"""Samples drawn from a corpus, and the items that came into the database with them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from backend.core.studies.models import Study
from backend.design.corpora.models import Corpus


class Sample(models.Model):
    """One drawing: the design, the seed and the frame it was drawn from say all that is needed to repeat it."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="samples")
    corpus = models.ForeignKey(Corpus, on_delete=models.RESTRICT, related_name="samples")
    name = models.CharField(max_length=120)
    design = models.JSONField()
    seed = models.BigIntegerField()
    frame_hash = models.CharField(max_length=64)
    disjoint_from = models.ManyToManyField("self", symmetrical=False, related_name="+")
    n_items = models.PositiveIntegerField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-created_at"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="sample_name_once", fields=["study", "name"]),
        ]

    def __str__(self) -> str:
        return self.name


class Item(models.Model):
    """What an annotator judges: a post, with one reply or none. The same unit is one item however often it is drawn."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="items")
    item_id = models.CharField(max_length=40)
    platform = models.CharField(max_length=20)
    community = models.TextField()
    post_id = models.TextField()
    reply_id = models.TextField(null=True)
    title = models.TextField(blank=True)
    post_text = models.TextField(blank=True)
    reply_text = models.TextField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="item_once_per_study", fields=["study", "item_id"]),
            models.CheckConstraint(
                name="reply_text_with_reply",
                condition=models.Q(reply_id=None, reply_text=None)
                | models.Q(reply_id__isnull=False, reply_text__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.item_id


class Draw(models.Model):
    """That an item was drawn into a sample, and with which probability it could have been."""

    sample = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="draws")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="draws")
    position = models.PositiveIntegerField()
    post_probability = models.FloatField()
    reply_probability = models.FloatField()
    inclusion_probability = models.FloatField()

    class Meta:
        ordering: ClassVar = ["sample", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="item_once_per_sample", fields=["sample", "item"]),
            models.UniqueConstraint(name="position_once_per_sample", fields=["sample", "position"]),
            models.CheckConstraint(
                name="probability_in_range",
                condition=models.Q(inclusion_probability__gt=0, inclusion_probability__lte=1),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item} in {self.sample}"
