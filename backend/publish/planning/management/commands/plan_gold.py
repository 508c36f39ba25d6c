"""Says how much gold an interval needs, from a report or before anything is labelled."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from backend.publish.planning.rows import SHOWN, name_of
from backend.publish.planning.selectors import planned_tables, report_for_planning

if TYPE_CHECKING:
    from analysis.gold_plan import AssumedShare, PlannedTable


class Command(BaseCommand):
    help = (
        "How much gold does an interval need? From the corrected estimates of a STUDY's report, or with --share from an"
        " assumed share and model, before anything is labelled."
    )
    # With --share it touches no database
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", nargs="?", help="the study's short name; not with --share")
        parser.add_argument("--report", type=int, help="its number; else the newest with corrected estimates")
        parser.add_argument(
            "--width", type=float, help="the width that the interval is to have, such as 0.05"
        )
        parser.add_argument("--share", type=float, help="how frequent the theme is taken to be, such as 0.1")
        parser.add_argument("--items", type=int, default=100_000, help="in the corpus")
        parser.add_argument("--recall", type=float, help="the part of what is there that the model finds")
        parser.add_argument(
            "--false-positives", type=float, default=0.0, help="the part of the rest that it takes for it"
        )
        parser.add_argument(
            "--design-effect",
            type=float,
            default=1.0,
            help="labels that are worth one drawn evenly and alone",
        )
        parser.add_argument("--format", choices=["text", "json"], default="text")

    def handle(self, *args: Any, **options: Any) -> None:
        is_json, width = options["format"] == "json", options["width"]
        if options["share"] is not None:
            theme = _read_assumption(options)
            found = theme.as_dict(width)
            self.stdout.write(json.dumps(found, indent=2) if is_json else _assumed_as_text(theme, width))
            return
        if not options["study"]:
            raise CommandError("Name a study whose report is to be planned from, or give --share.")
        report = report_for_planning(options["study"], options["report"])
        if report is None:
            raise CommandError("There is no such report: make one with a release, whose gold corrects it.")
        tables = planned_tables(report)
        if is_json:
            made = {name: [each.as_dict(width) for each in table.estimates] for name, table in tables.items()}
            self.stdout.write(json.dumps(made, indent=2, ensure_ascii=False))
            return
        for table in tables.values():
            self.stdout.write(_as_text(table, width))


def _read_assumption(options: dict[str, Any]) -> AssumedShare:
    from analysis.gold_plan import AssumedModel, AssumedShare  # loads numpy

    recall, wrong = options["recall"], options["false_positives"]
    shares = [options["share"], wrong, *([] if recall is None else [recall])]
    if not 0 < options["share"] < 1 or not all(0 <= each <= 1 for each in shares):
        raise CommandError("Shares, recall and false positives lie between 0 and 1: write 10% as 0.1.")
    if options["items"] < 2 or options["design_effect"] < 1:
        raise CommandError("Give at least 2 items and a design effect of at least 1.")
    model = None if recall is None else AssumedModel(recall, wrong)
    return AssumedShare(options["share"], options["items"], model, options["design_effect"])


def _assumed_as_text(theme: AssumedShare, width: float | None) -> str:
    lines = [f"{'gold labels':>12}{'width':>10}"]
    lines += [f"{n:>12,}{found:>10.4f}" for n, found in theme.curve]
    if width is not None:
        needed = theme.labels_for(width)
        said = "no number of labels is enough" if needed is None else f"{needed:,} gold labels"
        lines.append(f"for a width of {width:g}: {said}")
    return "\n".join(lines)


def _as_text(table: PlannedTable, width: float | None) -> str:
    heads = "".join(f"{f'+{more:,}':>10}" for more in SHOWN)
    last = "" if width is None else f"{f'for {width:g}':>12}"
    lines = [table.title, f"{'':<60}{'gold':>8}{'width':>10}{heads}{last}"]
    for each in table.estimates:
        widths = "".join(f"{each.parts.with_more(more):>10.4f}" for more in SHOWN)
        needed = "" if width is None else f"{_describe_need(each.parts.labels_for(width)):>12}"
        name = name_of(each, table.names)[:59]
        lines.append(f"{name:<60}{each.parts.n:>8,.0f}{each.parts.width:>10.4f}{widths}{needed}")
    return "\n".join(lines)


def _describe_need(labels: int | None) -> str:
    return "never" if labels is None else f"+{labels:,}"
