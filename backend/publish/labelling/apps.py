"""Registers the labelling app, and that the workers of a run go home when its job is cancelled."""

from django.apps import AppConfig


class LabellingConfig(AppConfig):
    name = "backend.publish.labelling"
    label = "labelling"

    def ready(self) -> None:
        from backend.core.hooks import job_cancelled

        job_cancelled.add("backend.publish.labelling.services.stop_workers")
