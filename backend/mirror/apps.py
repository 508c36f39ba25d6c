"""Registers the mirror app."""

from django.apps import AppConfig


class MirrorConfig(AppConfig):
    name = "backend.mirror"
    label = "mirror"
