"""Prints how far a study's batches are."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from backend.annotate.batches.counting import Counts
from backend.annotate.batches.progress import AnnotatorProgress, BatchProgress, study_progress
from backend.core.jobs.terminal import study_named
from backend.core.web.formats import duration


class Command(BaseCommand):
    help = "Print how far each batch of a study and each annotator is."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        batches = study_progress(study, today=timezone.localdate())
        for progress in batches:
            self.stdout.write(_batch_line(progress))
            for row in progress.annotators:
                self.stdout.write(_annotator_line(row))
        if not batches:
            self.stdout.write("No batch yet.")


def _batch_line(progress: BatchProgress) -> str:
    batch = progress.batch
    due = (
        f", due {batch.due_on:%Y-%m-%d}{' (overdue)' if progress.is_overdue else ''}" if batch.due_on else ""
    )
    return f"{batch.pk} {batch.name} ({batch.kind}, {batch.state}{due}): {_count_line(progress.counts)}"


def _annotator_line(row: AnnotatorProgress) -> str:
    gone = ", withdrawn" if row.is_withdrawn else ""
    return (
        f"  {row.annotator.username}: {_count_line(row.counts)}, median {duration(row.median_seconds)}{gone}"
    )


def _count_line(counts: Counts) -> str:
    return (
        f"{counts.done} of {counts.assigned} done, {counts.skipped} skipped, {counts.flagged} flagged, "
        f"{counts.in_quarantine} in quarantine"
    )
