"""Registers the retraining app."""

from django.apps import AppConfig


class RetrainingConfig(AppConfig):
    name = "backend.learn.retraining"
    label = "retraining"
