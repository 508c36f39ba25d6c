"""Prints what is suggested where, and what the conditions say."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from backend.core.jobs.terminal import study_named
from backend.learn.models.selectors import adapter_in_service
from backend.learn.prelabels.comparing import compare_study
from backend.learn.prelabels.selectors import choice_of
from backend.learn.prelabels.status import batch_statuses


class Command(BaseCommand):
    help = "Print which adapter suggests, which batches have suggestions, and whether they change what people say."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        adapter, choice = adapter_in_service(study), choice_of(study)
        named = f"adapter {adapter.number}, “{adapter.name}”" if adapter else "none"
        self.stdout.write(f"In service: {named}")
        self.stdout.write(
            f"Pre-labels: {'on' if choice.is_on else 'off'}, {choice.blind_share:.0%} of posts blind"
        )
        for row in batch_statuses(study):
            line = f"{row.batch.name}: {row.shown:,} of {row.places:,} items with a suggestion, {row.blind:,} blind"
            self.stdout.write(f"{line}. {row.suggesting.why_not}".rstrip(". ") + ".")
        comparison = compare_study(study)
        for line in comparison.conclusions if comparison else ["No batch has conditions to compare yet."]:
            self.stdout.write(line)
