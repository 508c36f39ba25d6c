"""Puts any model to the alternative-annotator test, for people who have only tables of labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from corpus.delimited import TableUnreadable
from learning.alternative_annotator.label_tables import read_label_tables, run_alt_test
from learning.alternative_annotator.procedure import LEAST_ITEMS, AltTests
from learning.alternative_annotator.report import as_csv, as_json, as_latex, as_text
from learning.alternative_annotator.scores import ScoreName


class Command(BaseCommand):
    help = "Test whether a model may take an annotator's place, on long tables of labels (alternative-annotator test)."
    # It touches neither the database nor the settings that the checks look at.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("annotations", help="CSV with the columns item, annotator and label")
        parser.add_argument(
            "--model", required=True, metavar="FILE", help="CSV with the columns item and label"
        )
        parser.add_argument(
            "--epsilon",
            type=float,
            required=True,
            help="how much worse than an annotator a cheaper model may be: .2 for experts, .15 for skilled annotators, "
            ".1 for crowd workers",
        )
        parser.add_argument(
            "--score",
            choices=[name.value for name in ScoreName],
            default=ScoreName.ACCURACY.value,
            help="how labels agree: accuracy for categories, rmse for ratings, token-f1 for marked words",
        )
        parser.add_argument(
            "--cluster", metavar="COLUMN", help="the column that says which items belong together"
        )
        parser.add_argument(
            "--least-items",
            type=int,
            default=LEAST_ITEMS,
            help="annotators with fewer items are left out; below 30 the test is Wilcoxon's",
        )
        parser.add_argument("--format", choices=["text", "json", "latex", "csv"], default="text")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 0 <= options["epsilon"] < 1:
            raise CommandError(
                "--epsilon lies between 0 and 1: .2 for experts, .15 for skilled annotators, .1 for a crowd."
            )
        if options["least_items"] < 2:
            raise CommandError("--least-items is at least 2.")
        score = ScoreName(options["score"])
        try:
            tables = read_label_tables(
                _content(options["annotations"]),
                _content(options["model"]),
                score=score,
                cluster=options["cluster"],
            )
            tests = run_alt_test(
                tables, score, epsilon=options["epsilon"], least_items=options["least_items"]
            )
        except TableUnreadable as error:
            raise CommandError(str(error)) from error
        self.stdout.write(_write(options["format"], tests, score, tables.remarks))


def _content(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.") from error


def _write(form: str, tests: AltTests, score: ScoreName, remarks: tuple[str, ...]) -> str:
    match form:
        case "json":
            return as_json(tests, score, remarks)
        case "latex":
            return as_latex(tests)
        case "csv":
            return as_csv(tests).rstrip("\n")
        case _:
            return as_text(tests, score, remarks)
