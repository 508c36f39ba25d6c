"""Puts the projects of a study right, as the sync page's button does for one."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backend.annotate.batches.models import Assignment
from backend.annotate.sync.projects import wanted_project
from backend.annotate.sync.repair import enqueue_repair
from backend.core.jobs.models import JobState
from backend.core.jobs.runner import run_job
from backend.core.jobs.terminal import study_named

BETWEEN_LOOKS = 2.0


class Command(BaseCommand):
    help = "Push what Label Studio lacks, read everything there again and derive all judgments anew."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("--batch", metavar="NAME", help="Only this batch.")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        shares = Assignment.objects.filter(batch__study=study).select_related("annotator", "batch__study")
        if options["batch"]:
            shares = shares.filter(batch__name=options["batch"])
        if not shares:
            raise CommandError("There is no such batch in this study.")
        for share in shares:
            self._repair(share)

    def _repair(self, share: Assignment) -> None:
        """As a job, like the button: only one at a time may bring a batch in line."""
        job = enqueue_repair(project=wanted_project(share), actor=None, now=timezone.now())
        while not job.is_over:
            # Does nothing while a worker has it
            run_job(job_id=job.pk, clock=timezone.now)
            job.refresh_from_db()
            if not job.is_over:
                time.sleep(BETWEEN_LOOKS)
                job.refresh_from_db()
        if job.state != JobState.DONE or not isinstance(job.result, dict):
            raise CommandError(f"{share}: {job.error or 'the repair was cancelled.'}")
        self.stdout.write(f"{share}: {job.result['summary']}")
