"""The file beside a report by which others see that somebody is making it."""

from pathlib import Path

from learning.tasks.locks import is_held


def tries_of(report: Path) -> Path:
    """One byte for each try that began and did not end; whoever tries holds it locked."""
    return report.with_suffix(".tries")


def is_being_made(report: Path) -> bool:
    return is_held(tries_of(report))
