"""Plans of a study that were frozen before it had labels."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from analysis.preregistration import Plan, read_plan
from backend.core.studies.models import Study


class Preregistration(models.Model):
    """One frozen plan; a database trigger refuses to rewrite it. The newest holds, the older ones stay to be read."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="preregistrations")
    number = models.PositiveIntegerField()
    canonical = models.TextField(help_text="The plan as JSON, whose sha256 is the hash.")
    hash = models.CharField(max_length=64)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["study", "-number"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="plan_number_once", fields=["study", "number"]),
            models.UniqueConstraint(name="plan_content_once", fields=["study", "hash"]),
        ]

    def __str__(self) -> str:
        return f"Plan {self.number}"

    @property
    def plan(self) -> Plan:
        return read_plan(self.canonical)
