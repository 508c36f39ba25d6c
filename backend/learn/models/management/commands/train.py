"""Trains an adapter from the terminal."""

from __future__ import annotations

from backend.learn.models.management.ml_command import MlCommand


class Command(MlCommand):
    help = "Learn from a release and write an adapter. --help lists all options."
    ml_command = "train"
