"""Registers the app of error analysis."""

from django.apps import AppConfig


class ErrorAnalysisConfig(AppConfig):
    name = "backend.learn.error_analysis"
    label = "error_analysis"
