"""Who works where, and which sign-in tickets have been used."""

from django.conf import settings
from django.db import models


class Seat(models.Model):
    """The one annotator of a project. Without an open seat a project does not exist for anyone but the owner."""

    project = models.OneToOneField("projects.Project", on_delete=models.CASCADE, related_name="attune_seat")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="attune_seats")
    is_open = models.BooleanField(default=False)
    return_url = models.CharField(max_length=2000, blank=True, default="")
    heading = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        app_label = "attune_access"


class UsedTicket(models.Model):
    """A ticket lets one person in once; kept for ten minutes, by when it has long expired."""

    nonce = models.CharField(max_length=64, unique=True)
    used_at = models.DateTimeField(db_index=True)

    class Meta:
        app_label = "attune_access"
