"""Probes from the terminal what an adapter makes of the post."""

from __future__ import annotations

from backend.learn.models.management.ml_command import MlCommand


class Command(MlCommand):
    help = "Ask whether an adapter looks at the post or at the reply alone. --help lists all options."
    ml_command = "probe"
