"""Registers the overview; it has no rows."""

from django.apps import AppConfig


class OverviewConfig(AppConfig):
    name = "backend.overview"
    label = "overview"
