"""The access app as a Django app of Label Studio's: it needs two tables of its own."""

from django.apps import AppConfig


class AccessConfig(AppConfig):
    name = "attune_access"
    label = "attune_access"
    default_auto_field = "django.db.models.BigAutoField"
