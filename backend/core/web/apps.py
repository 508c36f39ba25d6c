"""Names the app that holds the look of every page."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "backend.core.web"
    label = "web"
    verbose_name = "Look and shared pages"
