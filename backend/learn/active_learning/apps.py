"""Registers the active-learning app, and that it knows how the items of its batches were chosen."""

from django.apps import AppConfig


class ActiveLearningConfig(AppConfig):
    name = "backend.learn.active_learning"
    label = "active_learning"

    def ready(self) -> None:
        from backend.decide.hooks import chosen_draws

        chosen_draws.add("backend.learn.active_learning.selectors.chosen_draws")
