"""Registers the labelling app."""

from django.apps import AppConfig


class LabellingConfig(AppConfig):
    name = "backend.labelling"
    label = "labelling"
