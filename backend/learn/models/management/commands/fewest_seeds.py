"""Looks for the smallest sets of seeds from the terminal."""

from __future__ import annotations

from backend.learn.models.management.ml_command import MlCommand


class Command(MlCommand):
    help = "Say how few seed utterances do as well as all. --help lists all options."
    ml_command = "fewest_seeds"
