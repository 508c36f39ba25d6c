"""Plays active learning over labelled data from the terminal."""

from __future__ import annotations

from backend.learn.models.management.ml_command import MlCommand


class Command(MlCommand):
    help = "Compare strategies of active learning on a release. --help lists all options."
    ml_command = "simulate_active_learning"
