"""Registers the models app, and that what the ML backend does for a job ends when it is cancelled."""

from django.apps import AppConfig


class ModelsConfig(AppConfig):
    name = "backend.learn.models"
    label = "models"

    def ready(self) -> None:
        from backend.core.hooks import job_cancelled
        from backend.decide.hooks import adapters_in_words, model_opinion

        job_cancelled.add("backend.core.ml_tasks.folders.stop_tasks")
        model_opinion.add("backend.learn.models.suggesting.opinion_on")
        adapters_in_words.add("backend.learn.models.probing.adapters_in_words")
