"""What was estimated of annotators, and whether they may see their own part of it."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from backend.core.studies.models import Study
from backend.design.codebooks.models import Edition


class CompetenceChoice(models.Model):
    """Nobody but researchers sees anything until they decide otherwise."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="competence_choice")
    annotators_see_own = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"competence in {self.study}"


class CompetenceEstimate(models.Model):
    """The newest one counts; what was estimated before stays."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="competence_estimates")
    edition = models.ForeignKey(Edition, on_delete=models.RESTRICT, related_name="+")
    themes = models.TextField(help_text="By theme and annotator, JSON.")
    resamples = models.PositiveIntegerField()
    least = models.PositiveIntegerField(help_text="Below so many shared items nobody has a figure.")
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    estimated_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-estimated_at", "-pk"]

    def __str__(self) -> str:
        return f"competence in {self.study}, {self.estimated_at:%Y-%m-%d}"
