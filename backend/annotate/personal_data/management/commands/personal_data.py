"""Scans a sample for personal data from the terminal, and replaces what it finds if asked to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backend.annotate.personal_data.selectors import counts_by_kind, replaceable
from backend.annotate.personal_data.services import PersonalDataError, replace_findings, scan_sample
from backend.core.jobs.terminal import study_named
from corpus.personal_data import PersonalKind


class Command(BaseCommand):
    help = "Find addresses, phone numbers, handles and names in the texts of a sample. Prints counts and no words."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("sample", help="The sample's name.")
        parser.add_argument("--names", type=Path, metavar="FILE", help="names to look for, one a line")
        parser.add_argument(
            "--replace",
            nargs="+",
            default=[],
            choices=[kind.value for kind in PersonalKind],
            help="replace every open place of these kinds; items in a batch or with gold stay as they are",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        sample = study.samples.filter(name=options["sample"]).first()
        if sample is None:
            names = ", ".join(f"“{each.name}”" for each in study.samples.all()) or "none"
            raise CommandError(f"There is no sample “{options['sample']}” in this study; there are: {names}.")
        try:
            names_file: Path | None = options["names"]
            scan_sample(sample=sample, names=names_file.read_text().splitlines() if names_file else ())
            chosen = replaceable(sample).filter(kind__in=options["replace"])
            if chosen.exists():
                replace_findings(study=study, findings=chosen, actor=study.created_by, now=timezone.now())
        except OSError as problem:
            raise CommandError(f"{options['names']} cannot be read: {problem.strerror}.") from problem
        except PersonalDataError as problem:
            raise CommandError(str(problem)) from problem
        for kind, counts in counts_by_kind(sample).items():
            self.stdout.write(f"{kind}: " + ", ".join(f"{n:,} {state}" for state, n in counts.items()))
