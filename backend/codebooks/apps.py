"""Registers the codebooks app."""

from django.apps import AppConfig


class CodebooksConfig(AppConfig):
    name = "backend.codebooks"
    label = "codebooks"
