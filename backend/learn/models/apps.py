"""Registers the adapters app, and that what the ML backend does for a job ends when it is cancelled."""

from django.apps import AppConfig


class AdaptersConfig(AppConfig):
    name = "backend.learn.models"
    label = "adapters"

    def ready(self) -> None:
        from backend.core.jobs.cancelling import on_cancel

        on_cancel(stop_tasks)


def stop_tasks(job_id: int) -> None:
    """Loaded when it is needed, as everything that reads and writes files of the ML backend."""
    from backend.core.ml_tasks import stopping

    stopping.stop_tasks(job_id)
