"""Makes a report from the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http import Http404
from django.utils import timezone
from pydantic import ValidationError

from analysis.lexicon import LexiconUnreadable, read_lexicon
from analysis.report.registry import section_titles
from analysis.surrogate import Surrogate
from backend.core.jobs.terminal import study_named
from backend.core.studies.models import Study
from backend.decide.releases.errors import ReleaseError
from backend.publish.labelling.selectors import finished_runs
from backend.publish.reports.errors import ReportError
from backend.publish.reports.requests import PERIODS, LexiconGiven, ReportRequest
from backend.publish.reports.services import check_report, make_report


class Command(BaseCommand):
    help = "Make a report of a finished labelling run: tables, figures, methods and a manifest, in a folder."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument(
            "--run", type=int, help="Number of the labelling run; else the newest finished one."
        )
        parser.add_argument(
            "--release", type=int, help="Number of the release whose labels correct the model's."
        )
        parser.add_argument("--title", default="")
        parser.add_argument(
            "--topic", action="append", default=[], metavar="COMMUNITY=TOPIC", help="Once for each community."
        )
        parser.add_argument("--every", choices=list(PERIODS), help="The period of change over time.")
        parser.add_argument(
            "--section",
            action="append",
            default=[],
            choices=list(section_titles()),
            help="Only these; else all.",
        )
        parser.add_argument(
            "--lexicon",
            type=Path,
            metavar="FILE",
            help="Scores the words of marked sentences: sentiment, emotions.",
        )
        parser.add_argument("--naive", action="store_true", help="Correct nothing, even with a release.")
        parser.add_argument(
            "--decisions", action="store_true", help="Correct the model's decisions, not its probabilities."
        )
        parser.add_argument(
            "--again",
            action="store_true",
            help="Make it a second time and say whether the bytes are the same.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        actor, now = study.created_by, timezone.now()
        try:
            request = _request(study, options)
            report = make_report(study=study, request=request, actor=actor, now=now, say=self.stderr.write)
            self.stdout.write(f"Report {report.number}: {report.manifest_hash}")
            self.stdout.write(str(report.folder))
            if options["again"]:
                again = check_report(report=report, actor=actor, now=now, say=self.stderr.write)
                if not again.is_same:
                    raise CommandError(f"It came out differently: {', '.join(again.differing)}.")
                self.stdout.write("Made again: the same bytes.")
        except (ValidationError, LexiconUnreadable, ReportError, ReleaseError, Http404) as problem:
            raise CommandError(str(problem)) from problem


def _request(study: Study, options: dict[str, Any]) -> ReportRequest:
    run = options["run"]
    if run is None:
        newest = finished_runs(study).first()
        if newest is None:
            raise CommandError("No labelling run of this study is finished: label a corpus first.")
        run = newest.number
    return ReportRequest(
        run=run,
        release=options["release"],
        title=options["title"],
        topics=dict(_topic(given) for given in options["topic"]),
        with_corrected=not options["naive"],
        surrogate=Surrogate.DECISION if options["decisions"] else Surrogate.PROBABILITY,
        every=options["every"],
        sections=options["section"],
        lexicon=LexiconGiven.of(read_lexicon(options["lexicon"])) if options["lexicon"] else None,
    )


def _topic(given: str) -> tuple[str, str]:
    community, sign, topic = given.rpartition("=")
    if not sign:
        raise CommandError(f"{given!r} is not of the form COMMUNITY=TOPIC.")
    return community, topic
