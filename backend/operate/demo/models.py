"""Which study is the demo that tells a story, of what size, and how far its making is."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from backend.core.jobs.models import Job
from backend.core.studies.models import Study

STUDY_NAME = "Empathy in everyday advice"


class Story(models.Model):
    """Its annotators are simulated: pages of its study say so."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="story")
    seed = models.BigIntegerField()
    size = models.JSONField(help_text="How many texts and items, by the fields of `StorySize`.")
    steps_done = models.PositiveSmallIntegerField(default=0)
    job = models.ForeignKey(Job, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        verbose_name_plural: ClassVar = "stories"

    def __str__(self) -> str:
        return f"story of {self.study}"
