"""Registers the agreement app."""

from django.apps import AppConfig


class AgreementConfig(AppConfig):
    name = "backend.agreement"
    label = "agreement"
