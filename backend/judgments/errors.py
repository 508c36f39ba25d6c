"""What cannot be done about judgments, each under its own name."""

from __future__ import annotations


class JudgmentError(Exception):
    """A change that cannot be made; the message says why and what to do."""
