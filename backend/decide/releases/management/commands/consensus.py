"""Makes one label an item out of any long table of votes, for people who need only that."""

from __future__ import annotations

import csv
import json
import math
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.consensus.methods import consensus
from annotation.consensus.values import NO_LABEL, Consensus, Method, Ties, Votes
from annotation.consensus.vote_table import read_votes
from annotation.consensus.votes import NoVotes
from corpus.delimited import TableUnreadable, safe_cell

_COLUMNS = ("item", "label", "confidence", "n_votes")


class Command(BaseCommand):
    help = "Make one label an item of a long table with the columns item, annotator and label; - reads standard input."
    # It touches neither the database nor the settings that the checks look at.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="CSV with commas, semicolons or tabs; - for standard input")
        parser.add_argument("--method", choices=[method.value for method in Method], default=Method.MAJORITY)
        parser.add_argument("--format", choices=["csv", "json"], default="csv")
        parser.add_argument(
            "--id", metavar="NAME", help="the column that names the items, if it has a name of its own"
        )
        parser.add_argument(
            "--ties",
            choices=[ties.value for ties in Ties],
            default=Ties.SEED.value,
            help="of the majority: by chance, no label, or the label that is more frequent overall",
        )
        parser.add_argument("--seed", type=int, default=0, help="of the random starts of mace and of ties")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["seed"] < 0:
            raise CommandError("--seed cannot be negative.")
        try:
            table = read_votes(_content(options["file"]), id_column=options["id"])
        except (TableUnreadable, NoVotes) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}.") from error
        method = Method(options["method"])
        result = consensus(table.votes, method, seed=options["seed"], ties=Ties(options["ties"]))
        note = " ".join((result.note, *table.remarks))
        if options["format"] == "json":
            self.stdout.write(_as_json(table.votes, method, result, note))
        else:
            self.stdout.write(_as_csv(table.votes, result), ending="")
            self.stderr.write(note)


def _content(file: str) -> bytes:
    return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()


def _item_rows(votes: Votes, result: Consensus) -> list[dict[str, str | float | int]]:
    n_votes = np.bincount(votes.on, minlength=len(votes.items)).tolist()
    labels = ("" if label == NO_LABEL else votes.labels[label] for label in result.label.tolist())
    cells = zip(votes.items, labels, result.confidence.tolist(), n_votes, strict=True)
    return [dict(zip(_COLUMNS, row, strict=True)) for row in cells]


def _as_csv(votes: Votes, result: Consensus) -> str:
    buffer = StringIO()
    writer = csv.DictWriter(buffer, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in _item_rows(votes, result):
        writer.writerow({name: safe_cell(cell) for name, cell in row.items()})
    return buffer.getvalue()


def _as_json(votes: Votes, method: Method, result: Consensus, note: str) -> str:
    n_votes = np.bincount(votes.by, minlength=len(votes.annotators)).tolist()
    people = zip(votes.annotators, result.competence.tolist(), n_votes, strict=True)
    annotators = [
        {"annotator": name, "competence": None if math.isnan(competence) else competence, "n_votes": n}
        for name, competence, n in people
    ]
    answer = {
        "method": method.value,
        "note": note,
        "items": _item_rows(votes, result),
        "annotators": annotators,
    }
    return json.dumps(answer, ensure_ascii=False, indent=2)
