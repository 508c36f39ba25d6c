"""Registers the agreement app."""

from django.apps import AppConfig


class AgreementConfig(AppConfig):
    name = "backend.decide.agreement"
    label = "agreement"
