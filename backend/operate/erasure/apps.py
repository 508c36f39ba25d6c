"""Registers the erasure; it has no rows."""

from django.apps import AppConfig


class ErasureConfig(AppConfig):
    name = "backend.operate.erasure"
    label = "erasure"
