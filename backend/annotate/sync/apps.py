"""Registers the mirror app."""

from django.apps import AppConfig


class MirrorConfig(AppConfig):
    name = "backend.annotate.sync"
    label = "mirror"
