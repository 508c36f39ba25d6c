"""Registers the active-learning app, and that it knows how the items of its batches were chosen."""

from django.apps import AppConfig


class ActiveLearningConfig(AppConfig):
    name = "backend.learn.active_learning"
    label = "active_learning"

    def ready(self) -> None:
        from backend.annotate.hooks import batch_page_context
        from backend.decide.hooks import chosen_draws

        batch_page_context.add("backend.learn.active_learning.selectors.aim_of_batch")
        chosen_draws.add("backend.learn.active_learning.selectors.chosen_draws")
