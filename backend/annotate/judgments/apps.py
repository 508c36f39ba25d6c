"""Registers the judgments app."""

from django.apps import AppConfig


class JudgmentsConfig(AppConfig):
    name = "backend.annotate.judgments"
    label = "judgments"
