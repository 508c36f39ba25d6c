"""Registers the corpora app."""

from django.apps import AppConfig


class CorporaConfig(AppConfig):
    name = "backend.design.corpora"
    label = "corpora"
