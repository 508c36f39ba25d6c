"""Estimates shares under a new edition of the codebook from a sample that was judged again, for two release folders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from corpus.delimited import TableUnreadable, read_delimited

COLUMNS = ("item_id", "inclusion_probability")


class Command(BaseCommand):
    help = (
        "Estimate how common each code is under a new edition of the codebook, when only a random sample of the items "
        "was judged again under it: the labels under the old edition stand in for all, corrected by the sample."
    )
    # It touches neither the database nor the settings that the checks look at.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "old", type=Path, help="folder of the release under the old edition, with all items"
        )
        parser.add_argument("new", type=Path, help="folder of the release with what was judged again")
        parser.add_argument(
            "--probabilities",
            type=Path,
            metavar="FILE",
            help="CSV with item_id and inclusion_probability of what was judged again; without it all were equal",
        )
        parser.add_argument(
            "--half-width",
            type=float,
            default=0.05,
            help="how far the interval may reach to either side when it is said how much has to be judged again",
        )
        parser.add_argument("--format", choices=["text", "json"], default="text")

    def handle(self, *args: Any, **options: Any) -> None:
        # They load numpy and polars
        from analysis.edition_bridge import LabelledItems, bridge_editions
        from analysis.errors import NotAnalysable
        from annotation.release.read import ReleaseBroken, read_release

        if not 0 < options["half_width"] < 0.5:
            raise CommandError("--half-width takes a share above 0 and below 0.5, such as 0.05.")
        try:
            old, new = read_release(options["old"]), read_release(options["new"])
            found = bridge_editions(
                LabelledItems(old.codebook, old.rows),
                LabelledItems(new.codebook, new.rows),
                probabilities=_probabilities(options["probabilities"]),
                half_width=options["half_width"],
            )
        except (ReleaseBroken, NotAnalysable, TableUnreadable) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(found.as_json() if options["format"] == "json" else found.as_text())


def _probabilities(file: Path | None) -> dict[str, float] | None:
    if file is None:
        return None
    try:
        table = read_delimited(file.read_bytes())
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
    if missing := [name for name in COLUMNS if name not in table.header]:
        raise CommandError(f"{file} has no column {' and '.join(missing)}: give {' and '.join(COLUMNS)}.")
    item, probability = (table.header.index(name) for name in COLUMNS)
    try:
        return {row.cells[item]: float(row.cells[probability]) for row in table.rows if not row.is_blank}
    except ValueError as error:
        raise CommandError(f"{file}: an inclusion_probability is no number ({error}).") from error
