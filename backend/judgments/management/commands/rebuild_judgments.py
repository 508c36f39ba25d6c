"""Derives judgments, spans, flags and quarantine again from the annotations as they were received."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backend.batches.models import Assignment
from backend.judgments.derivation import NO_CHANGES, derive_items
from backend.studies.models import Study


class Command(BaseCommand):
    help = (
        "Derive all judgments anew from the annotations as they were received; a second run changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", nargs="?", help="The study's short name; all studies if left out.")

    def handle(self, *args: Any, **options: Any) -> None:
        shares = Assignment.objects.select_related("batch__edition", "annotator")
        if options["study"]:
            study = Study.objects.filter(slug=options["study"]).first()
            if study is None:
                raise CommandError(f"There is no study {options['study']!r}.")
            shares = shares.filter(batch__study=study)
        changes = NO_CHANGES
        for share in shares:
            changes += derive_items(assignment=share, item_keys=None, now=timezone.now())
        self.stdout.write(f"{changes.answers} answers and {changes.doubts} quarantined annotations changed.")
