"""Registers the labelling app, and that the processes of a run go home when its job is cancelled."""

from django.apps import AppConfig


class LabellingConfig(AppConfig):
    name = "backend.publish.labelling"
    label = "labelling"

    def ready(self) -> None:
        from backend.core.jobs.cancelling import on_cancel

        on_cancel(stop_processes)


def stop_processes(job_id: int) -> None:
    """Loaded when it is needed, as everything that reads and writes the files of a run."""
    from backend.publish.labelling import services

    services.stop_processes(job_id)
