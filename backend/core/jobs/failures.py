"""Says why a job failed without ever repeating a post's or a reply's text."""

from __future__ import annotations

import traceback

from backend.core.web.formats import without_server_paths

OUR_ROOMS = ("codebook", "corpus", "annotation", "learning", "analysis", "ml_backend", "backend")


def describe_failure(error: Exception) -> str:
    """Our own errors are written to be shown; others may quote their input, so only their kind is."""
    name = type(error).__name__
    if type(error).__module__.partition(".")[0] in OUR_ROOMS:
        return without_server_paths(f"{name}: {error}")
    if isinstance(error, OSError) and error.strerror:
        return f"{name}: {error.strerror}"
    return f"{name}: an unexpected error{_place(error)}. The worker's log shows how it came about."


def describe_trace(error: Exception) -> str:
    """The path through the code, without the error's own message."""
    return "".join(traceback.format_tb(error.__traceback__)) + type(error).__name__


def _place(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return ""
    return f" in {frames[-1].name}, line {frames[-1].lineno} of {frames[-1].filename.rpartition('/')[2]}"
