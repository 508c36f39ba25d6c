"""Says on how many items, by how many raters, agreement has to be measured."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from backend.publish.planning.selectors import planned_agreement


class Command(BaseCommand):
    help = (
        "How many items does a measurement of agreement need? For an interval of a width, and to tell a kappa from"
        " another (Cantor 1996); of three raters and more by simulation, for Fleiss' kappa."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--kappa", type=float, required=True, help="what is expected, such as 0.85")
        parser.add_argument("--null", type=float, help="the kappa that it is to be told from, such as 0.7")
        parser.add_argument("--width", type=float, help="of the 95%% interval, such as 0.2")
        parser.add_argument("--share", type=float, default=0.5, help="of items in which raters find the code")
        parser.add_argument("--raters", type=int, default=2)
        parser.add_argument("--level", type=float, default=0.05, help="of the test, with one tail")
        parser.add_argument("--power", type=float, default=0.8)
        parser.add_argument("--seed", type=int, default=1, help="of the simulation")
        parser.add_argument("--format", choices=["text", "json"], default="text")

    def handle(self, *args: Any, **options: Any) -> None:
        from annotation.agreement.planning import PlanImpossible

        try:
            found = planned_agreement(
                kappa=options["kappa"],
                share=options["share"],
                n_raters=options["raters"],
                null=options["null"],
                width=options["width"],
                level=options["level"],
                power=options["power"],
                seed=options["seed"],
            )
        except PlanImpossible as error:
            raise CommandError(str(error)) from error
        if options["format"] == "json":
            self.stdout.write(json.dumps(found.as_dict(), indent=2))
            return
        for sentence in found.sentences:
            self.stdout.write(sentence)
