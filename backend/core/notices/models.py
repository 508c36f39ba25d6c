"""Notices to the researchers of a study, and which of them each person has read."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from backend.core.studies.models import Study


class NoticeKind(models.TextChoices):
    """Named as callouts are, which show them."""

    INFO = "info", "For your information"
    GOOD = "good", "Good news"
    WARN = "warn", "Worth a look"
    ERROR = "error", "Something went wrong"


class Notice(models.Model):
    """One thing that happened without a person at the screen. `key` names the happening, so that it is told once."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="notices")
    key = models.CharField(max_length=100)
    kind = models.CharField(max_length=10, choices=NoticeKind.choices)
    text = models.CharField(max_length=600)
    url = models.CharField(max_length=300, blank=True, help_text="A page of ours, without the host.")
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        indexes: ClassVar = [models.Index(name="notice_by_study", fields=["study", "-created_at"])]
        constraints: ClassVar = [
            models.UniqueConstraint(name="notice_told_once", fields=["study", "key"]),
            models.CheckConstraint(name="notice_kind_known", condition=Q(kind__in=NoticeKind.values)),
            models.CheckConstraint(
                name="notice_leads_to_our_pages", condition=Q(url="") | Q(url__startswith="/")
            ),
        ]

    def __str__(self) -> str:
        return self.text


class NoticeReading(models.Model):
    """That a person has read a notice."""

    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="readings")
    reader = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    read_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="notice_read_once", fields=["notice", "reader"]),
        ]

    def __str__(self) -> str:
        return f"{self.reader} read notice {self.notice_id}"
