"""Predicts texts from the terminal."""

from __future__ import annotations

from backend.learn.models.management.ml_command import MlCommand


class Command(MlCommand):
    help = "Predict the texts of a table with an adapter. --help lists all options."
    ml_command = "predict"
