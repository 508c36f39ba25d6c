"""Registers the active-learning app."""

from django.apps import AppConfig


class ActiveConfig(AppConfig):
    name = "backend.learn.active_learning"
    label = "active"
