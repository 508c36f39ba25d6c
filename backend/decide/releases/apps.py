"""Registers the releases app."""

from django.apps import AppConfig


class ReleasesConfig(AppConfig):
    name = "backend.decide.releases"
    label = "releases"
