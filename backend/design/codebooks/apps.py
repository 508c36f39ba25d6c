"""Registers the codebooks app."""

from django.apps import AppConfig


class CodebooksConfig(AppConfig):
    name = "backend.design.codebooks"
    label = "codebooks"
