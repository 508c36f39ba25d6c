"""Derives judgments, spans, flags and quarantine again from the annotations as they were received."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backend.annotate.batches.models import Assignment
from backend.annotate.hooks import judgments_rebuilt
from backend.annotate.judgments.derivation import NO_CHANGES, derive_items
from backend.core.studies.models import Study


class Command(BaseCommand):
    help = (
        "Derive all judgments anew from the annotations as they were received, and the queue of adjudication from "
        "them; a second run changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", nargs="?", help="The study's short name; all studies if left out.")

    def handle(self, *args: Any, **options: Any) -> None:
        studies = Study.objects.all()
        if options["study"]:
            studies = studies.filter(slug=options["study"])
            if not studies.exists():
                raise CommandError(f"There is no study {options['study']!r}.")
        changes = NO_CHANGES
        for study in studies:
            shares = Assignment.objects.filter(batch__study=study)
            for share in shares.select_related("batch__edition", "batch__study", "annotator"):
                changes += derive_items(assignment=share, item_keys=None, now=timezone.now())
            judgments_rebuilt(study)
        self.stdout.write(f"{changes.answers} answers and {changes.doubts} quarantined annotations changed.")
