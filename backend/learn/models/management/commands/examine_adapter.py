"""Examines an adapter against the promotion rule and prints its verdict."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from backend.core.jobs.terminal import await_job, study_named
from backend.learn.models.examining import verdict_of
from backend.learn.models.queue import enqueue_gate
from backend.learn.models.selectors import adapter_numbered, report_of


class Command(BaseCommand):
    help = "Examine an adapter against the promotion rule, and print what was asked, the answers and why."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("adapter", type=int, help="Number of the adapter.")
        parser.add_argument("--wait", type=float, default=600, help="Seconds to wait; default: 600.")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        adapter = adapter_numbered(study, options["adapter"])
        job = enqueue_gate(adapter=adapter, actor=None, now=timezone.now())
        report = report_of(study, await_job(job, options["wait"])["report"])
        marks = {True: "yes", False: "NO", None: "–"}
        for check in verdict_of(report).checks:
            self.stdout.write(f"{marks[check.passed]:>4}  {check.name}: {check.words}")
        self.stdout.write("It may enter service." if report.passed else "It stays out.")
