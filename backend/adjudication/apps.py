"""Registers the adjudication app."""

from django.apps import AppConfig


class AdjudicationConfig(AppConfig):
    name = "backend.adjudication"
    label = "adjudication"
