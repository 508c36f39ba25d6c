"""Registers the studies app."""

from django.apps import AppConfig


class StudiesConfig(AppConfig):
    name = "backend.core.studies"
    label = "studies"
