"""Labels from outside, and tests of what may stand in for an annotator."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from backend.core.studies.models import Study
from backend.decide.releases.models import Release
from backend.design.codebooks.models import Edition
from backend.learn.models.models import Adapter

if TYPE_CHECKING:
    from learning.alternative_annotator.releases import ReleaseTest


class LabelColumns(models.Model):
    """Labels that something outside gave to items of the study; a database trigger refuses to rewrite them."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="label_columns")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=120)
    edition = models.ForeignKey(Edition, on_delete=models.RESTRICT, related_name="+")
    has_learned = models.BooleanField(help_text="Whether it learned from this study's labels.")
    labels = models.TextField(help_text="By item, JSON.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["study", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="label_columns_number_once", fields=["study", "number"]),
            models.UniqueConstraint(name="label_columns_name_once", fields=["study", "name"]),
        ]

    def __str__(self) -> str:
        return self.name


class AlternativeTest(models.Model):
    """What a test found, and the ε that it was run with; a database trigger refuses to rewrite it."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="alternative_tests")
    number = models.PositiveIntegerField()
    adapter = models.ForeignKey(
        Adapter, null=True, on_delete=models.CASCADE, related_name="alternative_tests"
    )
    columns = models.ForeignKey(
        LabelColumns, null=True, on_delete=models.CASCADE, related_name="alternative_tests"
    )
    release = models.ForeignKey(Release, on_delete=models.RESTRICT, related_name="+")
    epsilon = models.FloatField()
    content = models.TextField(help_text="What came out, JSON.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["study", "-number"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="alternative_test_number_once", fields=["study", "number"]),
            models.CheckConstraint(
                name="alternative_test_of_one",
                condition=Q(adapter__isnull=False, columns__isnull=True)
                | Q(adapter__isnull=True, columns__isnull=False),
            ),
            models.CheckConstraint(
                name="alternative_test_epsilon", condition=Q(epsilon__gte=0, epsilon__lt=1)
            ),
        ]

    def __str__(self) -> str:
        return f"Test {self.number}"

    @property
    def alternative(self) -> Adapter | LabelColumns:
        found = self.adapter or self.columns
        assert found is not None  # a constraint says so
        return found

    def read(self) -> ReleaseTest:
        from learning.alternative_annotator.releases import decode_test  # numpy comes with it

        return decode_test(self.content)
