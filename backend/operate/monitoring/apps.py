"""Registers the app that watches; it has no rows."""

from django.apps import AppConfig


class MonitoringConfig(AppConfig):
    name = "backend.operate.monitoring"
    label = "monitoring"
