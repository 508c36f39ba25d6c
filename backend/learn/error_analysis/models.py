"""Tags that researchers put on a model's errors, step by step; the latest step of a tag says whether it stands."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from analysis.error_tags import ErrorTag
from backend.decide.releases.models import Release
from backend.design.samples.models import Item
from backend.learn.models.models import Adapter

TAGS = [(tag.value, tag.in_words) for tag in ErrorTag]


class ErrorMark(models.Model):
    """A tag put on an error, or taken off again. A database trigger refuses to rewrite it: undoing is a step too."""

    adapter = models.ForeignKey(Adapter, on_delete=models.CASCADE, related_name="error_marks")
    release = models.ForeignKey(Release, on_delete=models.RESTRICT, related_name="+")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="error_marks")
    code = models.CharField(max_length=80)
    tag = models.CharField(max_length=30, choices=TAGS)
    is_put = models.BooleanField(help_text="False where the tag was taken off.")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                name="error_tag_known", condition=Q(tag__in=[tag.value for tag in ErrorTag])
            ),
        ]
        indexes: ClassVar = [models.Index(name="error_marks_of_item", fields=["item", "code", "tag"])]

    def __str__(self) -> str:
        return f"{self.tag} {'on' if self.is_put else 'off'} {self.item}"

    @property
    def error_tag(self) -> ErrorTag:
        return ErrorTag(self.tag)
