"""Registers the batches app."""

from django.apps import AppConfig


class BatchesConfig(AppConfig):
    name = "backend.annotate.batches"
    label = "batches"
