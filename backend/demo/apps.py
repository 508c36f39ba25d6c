"""Registers the demo app."""

from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "backend.demo"
    label = "demo"
