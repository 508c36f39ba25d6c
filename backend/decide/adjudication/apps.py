"""Registers the adjudication app, and has the queue follow what changes."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class AdjudicationConfig(AppConfig):
    name = "backend.decide.adjudication"
    label = "adjudication"

    def ready(self) -> None:
        from backend.annotate.hooks import judgments_derived, judgments_rebuilt
        from backend.decide.adjudication.queue_marks import drop_queue_marks, install_queue_marks

        pre_migrate.connect(drop_queue_marks, sender=self)
        post_migrate.connect(install_queue_marks, sender=self)
        judgments_derived.add("backend.decide.adjudication.queue_rows.refresh_queue")
        judgments_rebuilt.add("backend.decide.adjudication.queue_rows.rebuild_queue")
