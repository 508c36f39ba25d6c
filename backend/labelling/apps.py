"""Registers the labelling app, and that the processes of a run go home when its job is cancelled."""

from django.apps import AppConfig


class LabellingConfig(AppConfig):
    name = "backend.labelling"
    label = "labelling"

    def ready(self) -> None:
        from backend.jobs.cancelling import on_cancel
        from backend.labelling.services import stop_processes

        on_cancel(stop_processes)
