"""Registers the adjudication app, and has the queue follow what changes."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class AdjudicationConfig(AppConfig):
    name = "backend.adjudication"
    label = "adjudication"

    def ready(self) -> None:
        from backend.adjudication.queue_marks import drop_queue_marks, install_queue_marks
        from backend.adjudication.queue_rows import rebuild_queue, refresh_queue
        from backend.judgments.derivation import Follower, follow_judgments

        pre_migrate.connect(drop_queue_marks, sender=self)
        post_migrate.connect(install_queue_marks, sender=self)
        follow_judgments(Follower(refresh_queue, rebuild_queue))
