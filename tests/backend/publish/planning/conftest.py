"""A report to plan from is made as the reports' own tests make it."""

from tests.backend.publish.reports.conftest import own_folders, quick_fonts, run

__all__ = ["own_folders", "quick_fonts", "run"]
