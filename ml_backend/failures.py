"""Says why something could not be done: our own errors are written to be shown, of others only the kind is told."""

from __future__ import annotations

OUR_ROOMS = ("annotation", "codebook", "corpus", "learning", "ml_backend")


def is_ours(problem: BaseException) -> bool:
    return type(problem).__module__.partition(".")[0] in OUR_ROOMS


def reason_of(problem: Exception) -> str:
    """The words of an error of somebody else's may quote a text."""
    return f"{type(problem).__name__}: {problem}" if is_ours(problem) else f"{type(problem).__name__}."
