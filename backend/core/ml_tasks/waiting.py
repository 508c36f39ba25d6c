"""What a job says while it waits for the ML backend: people read it, and `instance_status` knows by it who is away."""

from __future__ import annotations

from backend.core.jobs.context import JobContext

WAITING = "Waiting for the ML backend"
UNANSWERED = "Still waiting for the ML backend: see whether its process “ml” runs"


def waiting_note(context: JobContext) -> str:
    """A job that waited in vain says so until somebody takes its work: a new try alone is no reason to hope."""
    return UNANSWERED if context.earlier_note == UNANSWERED else WAITING


def was_taken(context: JobContext) -> None:
    context.earlier_note = ""
