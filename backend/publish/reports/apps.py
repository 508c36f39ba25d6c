"""Registers the reports app."""

from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "backend.publish.reports"
    label = "reports"
