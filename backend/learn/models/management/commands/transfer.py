"""Tests transfer between tasks from the terminal."""

from __future__ import annotations

from backend.learn.models.management.ml_command import MlCommand


class Command(MlCommand):
    help = "Find out which tasks help which, when a model learns one first. --help lists all options."
    ml_command = "transfer"
