"""People who log in, and the tokens their notebooks use."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower


class AccountRole(models.TextChoices):
    """What a person may be: a researcher may start studies, an admin also manages accounts."""

    ANNOTATOR = "annotator", "Annotator"
    RESEARCHER = "researcher", "Researcher"
    ADMIN = "admin", "Admin"


class User(AbstractUser):
    role = models.CharField(max_length=20, choices=AccountRole.choices, default=AccountRole.ANNOTATOR)
    display_name = models.CharField(max_length=120, blank=True)
    wants_reminders = models.BooleanField(default=True, help_text="Of batches that are soon due, by e-mail.")
    email_is_verified = models.BooleanField(
        default=False, help_text="Whether an admin or the provider of log-in gave the address."
    )

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(name="user_role_known", condition=models.Q(role__in=AccountRole.values)),
            models.UniqueConstraint(
                Lower("email"), name="verified_email_once", condition=models.Q(email_is_verified=True)
            ),
            models.CheckConstraint(
                name="verified_email_there", condition=models.Q(email_is_verified=False) | ~models.Q(email="")
            ),
        ]

    def __str__(self) -> str:
        return self.display_name or self.username

    def get_full_name(self) -> str:
        return str(self)

    @property
    def is_admin(self) -> bool:
        return self.is_active and self.role == AccountRole.ADMIN

    @property
    def may_start_studies(self) -> bool:
        return self.is_active and self.role in (AccountRole.RESEARCHER, AccountRole.ADMIN)


class ApiToken(models.Model):
    """A notebook's key: only its hash is kept, so a stolen database opens nothing."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80)
    token_hash = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=12)
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"
