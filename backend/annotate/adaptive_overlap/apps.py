"""Registers adaptive overlap, which asks somebody else where the answers of a batch leave an item open."""

from django.apps import AppConfig


class AdaptiveOverlapConfig(AppConfig):
    name = "backend.annotate.adaptive_overlap"
    label = "adaptive_overlap"

    def ready(self) -> None:
        from backend.annotate.hooks import answers_arrived, batch_page_context

        answers_arrived.add("backend.annotate.adaptive_overlap.services.ask_again_if_adaptive")
        batch_page_context.add("backend.annotate.adaptive_overlap.selectors.batch_page_context")
