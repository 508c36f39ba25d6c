"""Which account of the provider is whose here."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models


class Identity(models.Model):
    """The provider's subject never changes, unlike names and addresses, so it decides once it is known."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="identities")
    issuer = models.CharField(max_length=300)
    subject = models.CharField(max_length=255)
    linked_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="subject_once_per_issuer", fields=["issuer", "subject"]),
            models.UniqueConstraint(name="identity_once_per_issuer", fields=["issuer", "user"]),
        ]

    def __str__(self) -> str:
        return f"{self.user} at {self.issuer}"
