"""Registers the adapters app."""

from django.apps import AppConfig


class AdaptersConfig(AppConfig):
    name = "backend.adapters"
    label = "adapters"
