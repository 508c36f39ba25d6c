"""Makes a release out of labelled tables from the terminal."""

from __future__ import annotations

from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from annotation.release.card_words import LEFT_OUT_WORDS
from annotation.release.files import write_release
from annotation.release.labelled_table import LabelColumn, TextColumns, read_labelled_tables
from annotation.release.release_from_table import ImportRequest, release_from_tables
from annotation.release.rows import LabelSource
from annotation.release.split import read_ratio
from codebook.loader import load_codebook
from codebook.problems import CodebookError
from codebook.shipped import shipped_codebooks, shipped_path
from corpus.errors import CorpusError


def code_and_column(text: str) -> tuple[str, str]:
    code, is_there, column = text.partition("=")
    if not (code and is_there and column):
        raise ArgumentTypeError(f"{text!r} is not CODE=COLUMN")
    return code, column


class Command(BaseCommand):
    help = (
        "Make a release folder, split by post, out of a table of labelled texts: for those who have labels already and "
        "want to train on them. Rows with the same ids, or without ids with the same texts, are one item; where they "
        "contradict each other it is left out."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("codebook", help="A codebook file, or the name of one that comes with Attune.")
        parser.add_argument(
            "table", type=Path, help="A .csv, .jsonl or .parquet file, a labelled pair a row."
        )
        parser.add_argument("out", type=Path, help="The folder to make; it must not be there yet.")
        parser.add_argument("--post-column", required=True)
        parser.add_argument("--reply-column", help="Leave it out where only posts are judged.")
        parser.add_argument("--title-column")
        parser.add_argument("--post-id-column", help="Else ids are made from the texts.")
        parser.add_argument("--reply-id-column")
        parser.add_argument(
            "--label",
            action="append",
            required=True,
            type=code_and_column,
            metavar="CODE=COLUMN",
            help="Where a code's answers are, as whole numbers; an empty cell is no label. Once for each code. "
            "A column of another table with the same texts: CODE=FILE:COLUMN.",
        )
        parser.add_argument(
            "--evidence",
            action="append",
            default=[],
            type=code_and_column,
            metavar="CODE=COLUMN",
            help="Where the quoted words behind a code's answers are, in the same table as its label; has to be there "
            "for codes that ask for sentences.",
        )
        parser.add_argument("--separator", default="|", help="Between quotes in one cell; default |.")
        parser.add_argument("--name", default="", help="Of the release; default: the table's name.")
        parser.add_argument("--community", default="table", help="Where the texts are from.")
        parser.add_argument("--ratio", default="6:2:2", help="Train, validation and test; default 6:2:2.")
        parser.add_argument("--seed", type=int, default=1, help="Of the split; default 1.")
        parser.add_argument("--licence", default="", help="How others may use the data.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._make(options)
        except (CodebookError, CorpusError, ValueError, OSError) as problem:
            raise CommandError(str(problem)) from problem

    def _make(self, options: dict[str, Any]) -> None:
        name = options["codebook"]
        codebook = load_codebook(shipped_path(name) if name in shipped_codebooks() else Path(name))
        texts = TextColumns(
            post=options["post_column"],
            reply=options["reply_column"],
            title=options["title_column"],
            post_id=options["post_id_column"],
            reply_id=options["reply_id_column"],
        )
        tables = read_labelled_tables(codebook, texts, _columns(options), options["separator"])
        request = ImportRequest(
            name=options["name"] or options["table"].stem,
            community=options["community"],
            ratio=read_ratio(options["ratio"]),
            seed=options["seed"],
            licence=options["licence"],
        )
        release = release_from_tables(tables, codebook, request, now=timezone.now())
        manifest = write_release(options["out"], release)
        parts = ", ".join(f"{part} {n:,}" for part, n in manifest.counts.by_split.items())
        self.stdout.write(f"{manifest.counts.items:,} items ({parts}), {manifest.hash}")
        for why, n in manifest.counts.left_out.items():
            self.stdout.write(f"Left out, {LEFT_OUT_WORDS[why]}: {n:,}")
        if tables.reworded:
            self.stdout.write(
                f"Joined by their ids although their words differ, with the words that were read first:"
                f" {len(tables.reworded):,}"
            )
        unplaced = manifest.counts.by_source.get(LabelSource.UNPLACED.value)
        if unplaced:
            self.stdout.write(f"Without a label, because no quote says which sentence: {unplaced:,}")
        for how, n in sorted(tables.quotes.items()):
            self.stdout.write(f"Quotes, {how}: {n:,}")
        self.stdout.write(str(options["out"]))


def _columns(options: dict[str, Any]) -> list[LabelColumn]:
    quotes = dict(options["evidence"])
    found = []
    for code, column in options["label"]:
        path, is_elsewhere, name = column.rpartition(":")
        found.append(
            LabelColumn(code, Path(path) if is_elsewhere else options["table"], name, quotes.pop(code, None))
        )
    if quotes:
        raise CommandError(f"--evidence without --label: {', '.join(quotes)}.")
    return found
