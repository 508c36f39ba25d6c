"""Registers the app and collects the job handlers of every other app."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class JobsConfig(AppConfig):
    name = "backend.jobs"
    label = "jobs"

    def ready(self) -> None:
        autodiscover_modules("job_handlers")
