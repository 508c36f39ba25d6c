"""Registers the app of error analysis."""

from django.apps import AppConfig


class ErrorAnalysisConfig(AppConfig):
    name = "backend.error_analysis"
    label = "error_analysis"
