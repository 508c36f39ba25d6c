"""Registers the app."""

from __future__ import annotations

from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "backend.core.jobs"
    label = "jobs"
