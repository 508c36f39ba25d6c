"""Measures agreement on any table of ratings, for people who need only that."""

from __future__ import annotations

import sys
from argparse import BooleanOptionalAction
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.agreement.alpha_check import check_alphas
from annotation.agreement.batch import measure_batch
from annotation.agreement.measure import measure_ratings, without_pairs
from annotation.agreement.rating_table import RatingTable, read_ratings
from annotation.agreement.rating_table_report import as_csv, as_json, as_latex, as_text
from annotation.agreement.registry import docs_table
from annotation.agreement.reports import AlphaCheck
from annotation.agreement.values import MeasurementLevel, RatingsAgreement
from corpus.delimited import TableUnreadable


class Command(BaseCommand):
    help = "Measure agreement on a table of ratings: a row per item, a column per rater, blank where one did not rate."
    # It touches neither the database nor the settings that the checks look at.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            nargs="?",
            help="CSV with commas, semicolons or tabs; a first column named id or item is one; - for standard input",
        )
        ids = parser.add_mutually_exclusive_group()
        ids.add_argument("--id", metavar="NAME", help="the column that names the items, and is no rater")
        ids.add_argument("--no-id", action="store_true", help="every column is a rater, the first one too")
        parser.add_argument(
            "--counts",
            action=BooleanOptionalAction,
            help="a column is an answer, and a cell says how many raters gave it",
        )
        parser.add_argument(
            "--statistics",
            action="store_true",
            help="print what is measured: formulas, gaps, sources; needs no table",
        )
        parser.add_argument(
            "--check",
            action="store_true",
            help="compare Krippendorff's alpha with the krippendorff package; without a table, in all measured batches",
        )
        parser.add_argument("--format", choices=["text", "json", "latex", "csv"], default="text")
        parser.add_argument(
            "--level",
            choices=[level.value for level in MeasurementLevel],
            default=MeasurementLevel.NOMINAL.value,
            help="what Krippendorff's alpha assumes of the ratings; the other statistics compare them as categories",
        )
        parser.add_argument("--resamples", type=int, default=1000, help="of the intervals; 0 for none")
        parser.add_argument("--seed", type=int, default=0, help="of the resamples")
        parser.add_argument(
            "--cluster", metavar="COLUMN", help="a column that says which items belong together"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["statistics"]:
            self.stdout.write(docs_table())
            return
        if options["file"] is None and options["check"]:
            self._check_batches()
            return
        if options["file"] is None:
            raise CommandError("Give a table of ratings, or - for standard input.")
        if options["resamples"] < 0 or options["seed"] < 0:
            raise CommandError("--resamples and --seed cannot be negative.")
        level = MeasurementLevel(options["level"])
        table = _table(options, level)
        if options["check"]:
            found = measure_ratings(table.ratings, level=level, resamples=0, seed=0)
            alpha = found["krippendorff_alpha"].value
            self._say(check_alphas([(options["file"], table.ratings, level, alpha)]))
            return
        found = measure_ratings(
            table.ratings, level=level, resamples=options["resamples"], seed=options["seed"]
        )
        if not table.knows_raters:
            found = without_pairs(found)
        self.stdout.write(_write(options["format"], table, found, level))
        if options["format"] in ("csv", "latex"):
            # Text and JSON have a place for them.
            for remark in table.remarks:
                self.stderr.write(remark)

    def _check_batches(self) -> None:
        """Batches that have a report, on their answers as they are now."""
        from backend.decide.agreement.inputs import batch_judgments
        from backend.decide.agreement.models import AgreementReport, ReportKind

        reports = AgreementReport.objects.filter(kind=ReportKind.AGREEMENT).order_by("batch", "-pk")
        batches = list(dict.fromkeys(report.batch for report in reports.select_related("batch__study")))
        if not batches:
            raise CommandError("No batch was measured yet: give a table of ratings to check.")
        for batch in batches:
            found = measure_batch(batch_judgments(batch), resamples=0, seed=0)
            self._say(found.alpha_check, f"{batch.study.slug}, “{batch.name}”: ")

    def _say(self, check: AlphaCheck | None, where: str = "") -> None:
        if check is None or check.differing:
            raise CommandError(f"{where}Krippendorff's alpha {check.says if check else 'was not checked'}.")
        self.stdout.write(f"{where}{check.says}")


def _table(options: Mapping[str, Any], level: MeasurementLevel) -> RatingTable:
    file: str = options["file"]
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return read_ratings(
            content,
            level=level,
            cluster=options["cluster"],
            id_column=options["id"],
            has_id=not options["no_id"],
            counts=options["counts"],
        )
    except TableUnreadable as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.") from error


def _write(form: str, table: RatingTable, found: RatingsAgreement, level: MeasurementLevel) -> str:
    match form:
        case "json":
            return as_json(table, found, level)
        case "latex":
            return as_latex(found, level)
        case "csv":
            return as_csv(found).rstrip("\n")
        case _:
            return as_text(table, found, level)
