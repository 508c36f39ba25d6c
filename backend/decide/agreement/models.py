"""Reports on agreement, which never change, and the rule by which a study trusts a theme."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.agreement.trust_rule import Bound
from backend.annotate.batches.models import Batch
from backend.core.studies.models import Study
from backend.design.codebooks.models import Edition


class ReportKind(models.TextChoices):
    """Between annotators, or of each annotator with themselves some time earlier."""

    AGREEMENT = "agreement", "Agreement between annotators"
    RETEST = "retest", "Test–retest"


class AgreementReport(models.Model):
    """What was measured on the first answers of a batch; the same inputs, resamples and seed are measured
    once by each version of the method."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="agreement_reports")
    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="agreement_reports")
    kind = models.CharField(max_length=20, choices=ReportKind.choices)
    edition = models.ForeignKey(Edition, on_delete=models.RESTRICT, related_name="+")
    inputs_hash = models.CharField(max_length=64, help_text="Of the answers it was measured on, as JSON.")
    resamples = models.PositiveIntegerField()
    seed = models.BigIntegerField()
    method = models.PositiveIntegerField(
        default=1, help_text="Version of the formulas, annotation.agreement.reports."
    )
    measures = models.TextField(help_text="The report as the ML backend wrote it, JSON.")
    is_partial = models.BooleanField(help_text="Whether somebody still had items to judge.")
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Empty if it was measured by itself, because the batch was complete.",
    )
    measured_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-measured_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="agreement_measured_once",
                fields=["batch", "inputs_hash", "seed", "resamples", "method"],
            ),
            models.CheckConstraint(name="agreement_kind_known", condition=Q(kind__in=ReportKind.values)),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} in {self.batch}"


class AgreementRule(models.Model):
    """What a study asks of a theme before it trusts it; without a row the default holds."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="agreement_rule")
    measure = models.CharField(max_length=30, help_text="Name of a statistic, annotation.agreement.registry.")
    bound = models.CharField(max_length=10, choices=[(each.value, each.value) for each in Bound])
    at_least = models.FloatField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(name="rule_measure_given", condition=~Q(measure="")),
            models.CheckConstraint(
                name="rule_bound_known", condition=Q(bound__in=[each.value for each in Bound])
            ),
            models.CheckConstraint(
                name="rule_can_be_met", condition=Q(at_least__gte=-1) & Q(at_least__lte=1)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.measure} {self.bound} ≥ {self.at_least}"
