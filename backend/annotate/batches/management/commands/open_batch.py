"""Opens a batch from the terminal."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from pydantic import ValidationError

from backend.annotate.batches.candidates import annotators_of
from backend.annotate.batches.errors import BatchError
from backend.annotate.batches.models import BatchKind
from backend.annotate.batches.planning import plan_batch
from backend.annotate.batches.requests import BatchRequest
from backend.annotate.batches.services import open_batch, refuse_opening
from backend.core.jobs.terminal import study_named
from backend.core.studies.models import Study
from backend.design.codebooks.errors import NoCodebook


class Command(BaseCommand):
    help = "Give items to annotators. Prints who gets how many; --dry-run prints it and opens nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("--kind", required=True, choices=BatchKind.values)
        parser.add_argument("--name", required=True, help="Annotators see it.")
        parser.add_argument("--seed", type=int, required=True)
        parser.add_argument("--annotators", nargs="+", metavar="NAME", help="Log-in names; all if left out.")
        parser.add_argument(
            "-n",
            type=int,
            help="Items for all (practice, overlap), in all (adaptive) or for each (main, recheck).",
        )
        parser.add_argument("--samples", nargs="+", default=[], metavar="SAMPLE")
        parser.add_argument("--items", nargs="+", default=[], metavar="ITEM", help="For an active batch.")
        parser.add_argument(
            "--submitted-days-ago", type=int, default=0, metavar="DAYS", help="For a recheck."
        )
        parser.add_argument(
            "--start-with", type=int, default=2, metavar="N", help="For an adaptive overlap: 1 or 2."
        )
        parser.add_argument(
            "--at-most", type=int, default=3, metavar="N", help="Annotators an item may have."
        )
        parser.add_argument(
            "--sure-at", type=float, default=0.9, metavar="P", help="When nobody else is asked."
        )
        parser.add_argument("--budget", type=int, metavar="N", help="Answers in all.")
        parser.add_argument("--due", metavar="YYYY-MM-DD")
        parser.add_argument("--dry-run", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        now = timezone.now()
        try:
            request = _request(study, options)
            refuse_opening(study=study, request=request, now=now)
            plan = plan_batch(study=study, request=request, now=now)
            for share in plan.shares:
                self.stdout.write(f"{share.annotator.username}: {len(share.items):,} items")
            for expected in plan.expected:
                self.stdout.write(
                    f"if annotators are right {expected.right:.0%} of the time: about {expected.n:,} answers, "
                    f"{plan.most_answers:,} at most"
                )
            if plan.left_out:
                self.stdout.write(
                    f"left out, as the codebook asks nothing about them: {plan.left_out:,} items"
                )
            self.stdout.write(f"plan {plan.hash}")
            if options["dry_run"]:
                return
            batch = open_batch(study=study, request=request, actor=study.created_by, now=now, seen=plan.hash)
        except (ValidationError, BatchError, NoCodebook) as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(f"Opened “{batch.name}” (batch {batch.pk}).")


def _request(study: Study, options: dict[str, Any]) -> BatchRequest:
    everybody = annotators_of(study).values_list("username", flat=True)
    return BatchRequest(
        name=options["name"],
        kind=options["kind"],
        annotators=options["annotators"] or list(everybody),
        n=options["n"],
        samples=options["samples"],
        items=options["items"],
        submitted_days_ago=options["submitted_days_ago"],
        start_with=options["start_with"],
        at_most=options["at_most"],
        sure_at=options["sure_at"],
        budget=options["budget"],
        seed=options["seed"],
        due_on=options["due"],
    )
