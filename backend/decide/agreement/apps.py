"""Registers the agreement app, which measures complete batches and shows their agreement beside them."""

from django.apps import AppConfig


class AgreementConfig(AppConfig):
    name = "backend.decide.agreement"
    label = "agreement"

    def ready(self) -> None:
        from backend.annotate.hooks import answers_arrived, batch_page_context

        batch_page_context.add("backend.decide.agreement.verdicts.batch_page_context")
        answers_arrived.add("backend.decide.agreement.services.measure_if_complete")
