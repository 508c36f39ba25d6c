"""Shows how Label Studio and Attune stand to each other, as the sync page does."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from backend.annotate.sync.selectors import ProjectStatus, project_statuses
from backend.core.jobs.terminal import study_named

LINE = "{batch:<24} {annotator:<16} {state:<10} {items:>6} {there:>6} {submitted:>9} {skipped:>7} {doubts:>11}  {lag}"


class Command(BaseCommand):
    help = "Show, for each Label Studio project of a study, what is where and whether it needs repair."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        statuses = project_statuses(study)
        if not statuses:
            self.stdout.write("This study has nothing in Label Studio yet: open a batch first.")
            return
        headings = ("batch", "annotator", "state", "items", "there", "submitted", "skipped", "lag")
        self.stdout.write(LINE.format(**{name: name for name in headings}, doubts="quarantined"))
        for status in statuses:
            self.stdout.write(_line(status))
            if status.project.poll_error:
                self.stdout.write(f"    {status.project.poll_error}")


def _line(status: ProjectStatus) -> str:
    project = status.project
    return LINE.format(
        batch=project.assignment.batch.name[:24],
        annotator=project.assignment.annotator.username[:16],
        state="repair" if status.needs_repair else project.state,
        items=status.items,
        there=project.tasks_there,
        submitted=status.submitted,
        skipped=status.skipped,
        doubts=status.quarantined,
        lag="-" if status.lag is None else f"{status.lag.total_seconds():.1f} s",
    )
