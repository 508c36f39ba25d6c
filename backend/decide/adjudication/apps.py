"""Registers the adjudication app, and has the queue follow what changes."""

from typing import TYPE_CHECKING

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate

if TYPE_CHECKING:
    from backend.core.studies.models import Study


class AdjudicationConfig(AppConfig):
    name = "backend.decide.adjudication"
    label = "adjudication"

    def ready(self) -> None:
        from backend.annotate.judgments.derivation import Follower, follow_judgments
        from backend.decide.adjudication.queue_marks import drop_queue_marks, install_queue_marks

        pre_migrate.connect(drop_queue_marks, sender=self)
        post_migrate.connect(install_queue_marks, sender=self)
        follow_judgments(Follower(_refresh, _rebuild))


# What works the rows out needs most libraries, and most processes work out none
def _refresh(study: "Study") -> int:
    from backend.decide.adjudication.queue_rows import refresh_queue

    return refresh_queue(study)


def _rebuild(study: "Study") -> int:
    from backend.decide.adjudication.queue_rows import rebuild_queue

    return rebuild_queue(study)
