"""Measures an adapter from the terminal."""

from __future__ import annotations

from backend.learn.models.management.ml_command import MlCommand


class Command(MlCommand):
    help = "Measure an adapter on a part of a release. --help lists all options."
    ml_command = "evaluate"
