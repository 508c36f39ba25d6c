"""Registers the notices app."""

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "backend.core.notices"
    label = "notices"
