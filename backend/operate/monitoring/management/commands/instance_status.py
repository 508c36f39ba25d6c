"""Says whether an instance is well, for people, timers and programs that watch."""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from backend.operate.monitoring.findings import Finding, Level, Limits, worst
from backend.operate.monitoring.rows import database_finding, row_findings
from backend.operate.monitoring.surroundings import surrounding_findings

GIGABYTE = 1024**3


class Command(BaseCommand):
    help = "Say whether this instance is well. The exit code is 0 if it is, 1 for a warning, 2 if something is wrong."
    # What it would check first is among what is told
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--backups", type=Path, metavar="FOLDER", help="Look for a fresh backup there, too."
        )
        parser.add_argument(
            "--backup-hours", type=int, default=26, help="How old the newest one may be (26)."
        )
        parser.add_argument(
            "--free-gb", type=float, default=10, help="Warn when less is free on the disk (10)."
        )
        parser.add_argument(
            "--waiting-minutes", type=int, default=60, help="How long a job may be queued (60)."
        )
        parser.add_argument("--json", action="store_true", help="For programs.")

    def handle(self, *args: Any, **options: Any) -> None:
        limits = Limits(
            job_waits=timedelta(minutes=options["waiting_minutes"]),
            free_bytes=int(options["free_gb"] * GIGABYTE),
            backup_age=timedelta(hours=options["backup_hours"]),
        )
        now = timezone.now()
        findings = [database_finding()]
        if worst(findings) is Level.OK:
            findings += row_findings(limits, now=now)
        findings += surrounding_findings(limits, backups=options["backups"], now=now)
        self.stdout.write(_as_json(findings) if options["json"] else _as_text(findings))
        if worst(findings) is not Level.OK:
            sys.exit(int(worst(findings)))


def _as_text(findings: list[Finding]) -> str:
    """The first line is what programs that watch show; the worst comes first after it."""
    level = worst(findings)
    names = ", ".join(finding.about for finding in findings if finding.level is not Level.OK)
    first = f"{level.name}: {names}" if names else f"{level.name}: all is well"
    ordered = sorted(findings, key=lambda finding: -finding.level)
    return "\n".join([first, *(f"{each.level.name:<8}  {each.about}: {each.says}" for each in ordered)])


def _as_json(findings: list[Finding]) -> str:
    rows = [{"about": each.about, "level": each.level.name, "says": each.says} for each in findings]
    return json.dumps({"level": worst(findings).name, "findings": rows}, ensure_ascii=False)
