"""Registers the discussions app."""

from django.apps import AppConfig


class DiscussionsConfig(AppConfig):
    name = "backend.annotate.discussions"
    label = "discussions"
