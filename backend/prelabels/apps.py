"""Registers the prelabels app, and that it wants to know when an adapter enters service."""

from django.apps import AppConfig


class PrelabelsConfig(AppConfig):
    name = "backend.prelabels"
    label = "prelabels"

    def ready(self) -> None:
        from backend.adapters.entering import on_entering_service
        from backend.prelabels.services import follow_service

        on_entering_service(follow_service)
