"""Registers the samples app."""

from django.apps import AppConfig


class SamplesConfig(AppConfig):
    name = "backend.design.samples"
    label = "samples"
