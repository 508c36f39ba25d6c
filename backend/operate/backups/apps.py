"""Registers the app of backups; it has no rows."""

from django.apps import AppConfig


class BackupsConfig(AppConfig):
    name = "backend.operate.backups"
    label = "backups"
