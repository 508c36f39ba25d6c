"""Registers the batches app, which keeps from people what others said about items that they still have to judge."""

from django.apps import AppConfig


class BatchesConfig(AppConfig):
    name = "backend.annotate.batches"
    label = "batches"

    def ready(self) -> None:
        from backend.core.studies.access import study_entered

        study_entered.add("backend.annotate.batches.blindness.refuse_hidden_address")
