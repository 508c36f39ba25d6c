"""Registers the feedback app."""

from django.apps import AppConfig


class FeedbackConfig(AppConfig):
    name = "backend.publish.feedback"
    label = "feedback"
