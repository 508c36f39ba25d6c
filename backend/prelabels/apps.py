"""Registers the prelabels app, that it wants to know when an adapter enters service, and what it can look up."""

from django.apps import AppConfig


class PrelabelsConfig(AppConfig):
    name = "backend.prelabels"
    label = "prelabels"

    def ready(self) -> None:
        from backend.adapters.entering import on_entering_service
        from backend.adapters.suggesting import on_looking_up
        from backend.prelabels.predicting import kept_prediction
        from backend.prelabels.services import follow_service

        on_entering_service(follow_service)
        on_looking_up(kept_prediction)
