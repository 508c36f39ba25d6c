"""Lists the adapters of a study."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from backend.core.jobs.terminal import study_named
from backend.learn.models.rows import AdapterRow, adapter_rows


class Command(BaseCommand):
    help = "List the adapters of a study: state, learner, release, test score and whether it meets the promotion rule."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")

    def handle(self, *args: Any, **options: Any) -> None:
        rows = adapter_rows(study_named(options["study"]))
        if not rows:
            self.stdout.write("No adapter yet: train one with train_study.")
        for row in rows:
            self.stdout.write(_line(row))


def _line(row: AdapterRow) -> str:
    adapter = row.adapter
    score = "–" if row.score is None or row.score.value is None else f"{100 * row.score.value:.1f}"
    gate = "not asked" if row.report is None else "passes" if row.report.passed else "does not pass"
    return (
        f"{adapter.number:>4}  {adapter.get_state_display():<10}  {adapter.learner:<16}  "
        f"release {adapter.release.number}  test {score:>5}  promotion: {gate:<13}  {adapter.adapter_id[:12]}  "
        f"{adapter.name}"
    )
