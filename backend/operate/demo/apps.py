"""Registers the demo app."""

from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "backend.operate.demo"
    label = "demo"
