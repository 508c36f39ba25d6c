"""Registers the adapters app, and that what the ML backend does for a job ends when it is cancelled."""

from django.apps import AppConfig


class AdaptersConfig(AppConfig):
    name = "backend.adapters"
    label = "adapters"

    def ready(self) -> None:
        from backend.jobs.cancelling import on_cancel
        from backend.orders.stopping import stop_orders

        on_cancel(stop_orders)
