"""Registers the practice app."""

from django.apps import AppConfig


class PracticeConfig(AppConfig):
    name = "backend.annotate.practice"
    label = "practice"
