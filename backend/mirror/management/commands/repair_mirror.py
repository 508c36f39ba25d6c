"""Puts the projects of a study right, as the sync page's button does for one."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backend.batches.models import Assignment
from backend.label_studio.client import connect
from backend.label_studio.errors import LabelStudioError
from backend.mirror.errors import MirrorError
from backend.mirror.push import wanted_project
from backend.mirror.repair import repair_project
from backend.studies.models import Study


class Command(BaseCommand):
    help = "Push what Label Studio lacks, read everything there again and derive all judgments anew."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("--batch", metavar="NAME", help="Only this batch.")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"There is no study {options['study']!r}.")
        shares = Assignment.objects.filter(batch__study=study).select_related("annotator", "batch")
        if options["batch"]:
            shares = shares.filter(batch__name=options["batch"])
        if not shares:
            raise CommandError("There is no such batch in this study.")
        for share in shares:
            self._repair(share)

    def _repair(self, share: Assignment) -> None:
        try:
            pulled = repair_project(
                wanted_project(share).pk, connect(), clock=timezone.now, report=lambda done, total: None
            )
        except (LabelStudioError, MirrorError) as problem:
            raise CommandError(f"{share}: {problem}") from problem
        changed = pulled.changes.answers + pulled.changes.doubts
        self.stdout.write(f"{share}: {pulled.versions} changes read, {changed} answers derived anew.")
