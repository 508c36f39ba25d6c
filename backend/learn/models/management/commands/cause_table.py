"""Makes the table of ways of finding marked sentences from the terminal."""

from __future__ import annotations

from backend.learn.models.management.ml_command import MlCommand


class Command(MlCommand):
    help = "Compare ways of finding marked sentences over several seeds. --help lists all options."
    ml_command = "cause_table"
