"""How annotators of any long table did, with intervals, for people who need only that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.consensus.competence_values import LEAST, RESAMPLES


class Command(BaseCommand):
    help = (
        "Estimate how each annotator of a long table with the columns item, annotator and label did under three models "
        "(Dawid–Skene, MACE, Rasch), with 95% intervals; by name and not by value, and nothing below a number of items."
    )
    # It touches neither the database nor the settings that the checks look at.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="CSV with commas, semicolons or tabs")
        parser.add_argument("--format", choices=["text", "json"], default="text")
        parser.add_argument("--id", metavar="NAME", help="the column that names the items")
        parser.add_argument(
            "--least", type=int, default=LEAST, help="items that others judged too, for a figure"
        )
        parser.add_argument("--resamples", type=int, default=RESAMPLES)
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        from annotation.consensus.competence import competences  # loads numpy
        from annotation.consensus.vote_table import read_votes
        from annotation.consensus.votes import NoVotes
        from corpus.delimited import TableUnreadable

        if options["least"] < 2 or options["resamples"] < 20 or options["seed"] < 0:
            raise CommandError("--least takes 2 or more, --resamples 20 or more, --seed 0 or more.")
        try:
            table = read_votes(options["file"].read_bytes(), id_column=options["id"])
        except (TableUnreadable, NoVotes) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}.") from error
        rows = competences(
            table.votes, resamples=options["resamples"], seed=options["seed"], least=options["least"]
        )
        if options["format"] == "json":
            answer = {"annotators": msgspec.to_builtins(rows), "remarks": list(table.remarks)}
            self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2))
            return
        for row in rows:
            self.stdout.write(f"{row.annotator} ({row.n:,} items that others judged too)")
            for model, each in row.values.items():
                self.stdout.write(f"  {model.value:<12} {each.value:.2f} [{each.low:.2f}, {each.high:.2f}]")
            if row.missing:
                self.stdout.write(f"  no figure: {row.missing}")
        for remark in table.remarks:
            self.stderr.write(remark)
