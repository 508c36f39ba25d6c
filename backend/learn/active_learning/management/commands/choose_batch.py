"""Has a batch chosen and opened from the terminal."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from pydantic import ValidationError

from backend.annotate.batches.candidates import annotators_of
from backend.annotate.batches.errors import BatchError
from backend.annotate.batches.services import refuse_opening
from backend.core.jobs.terminal import await_job, study_named
from backend.core.studies.models import Study
from backend.design.codebooks.errors import NoCodebook
from backend.learn.active_learning.choosing import ChoicePlan, plan_choice
from backend.learn.active_learning.errors import ActiveError, NotPredicted
from backend.learn.active_learning.queue import request_prediction
from backend.learn.active_learning.requests import RANDOM_SHARE, ChoiceRequest
from backend.learn.active_learning.services import open_chosen_batch
from learning.query_strategies.names import StrategyName


class Command(BaseCommand):
    help = "Have the model choose a batch. Prints what is chosen; --dry-run prints it and opens nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("--strategy", required=True, choices=[name.value for name in StrategyName])
        parser.add_argument("--name", required=True, help="Annotators see it.")
        parser.add_argument("-n", type=int, required=True, help="Items in all.")
        parser.add_argument(
            "--random-share", type=float, default=RANDOM_SHARE, help=f"Above 0; default: {RANDOM_SHARE}."
        )
        parser.add_argument(
            "--per-cost", action="store_true", help="Prefer what is learned for a minute of work."
        )
        parser.add_argument("--samples", nargs="+", metavar="SAMPLE", help="All if left out.")
        parser.add_argument("--annotators", nargs="+", metavar="NAME", help="Log-in names; all if left out.")
        parser.add_argument("--seed", type=int, required=True)
        parser.add_argument("--due", metavar="YYYY-MM-DD")
        parser.add_argument("--dry-run", action="store_true")
        parser.add_argument(
            "--wait",
            type=float,
            default=600,
            help="Seconds to wait for the pool to be predicted; 0: only ask.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        try:
            request = _request(study, options)
            refuse_opening(study=study, request=request.batch_request([]), now=timezone.now())
            plan = self._plan(study, request, options["wait"])
            self._tell(plan)
            if options["dry_run"]:
                return
            batch = open_chosen_batch(
                study=study,
                request=request,
                actor=study.created_by,
                now=timezone.now(),
                seen=plan.batch.hash,
            )
        except (ValidationError, ActiveError, BatchError, NoCodebook) as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(f"Opened “{batch.name}” (batch {batch.pk}).")

    def _plan(self, study: Study, request: ChoiceRequest, patience: float) -> ChoicePlan:
        """Has the pool predicted first, where that is missing."""
        try:
            return plan_choice(study=study, request=request, now=timezone.now())
        except NotPredicted as problem:
            job = request_prediction(study=study, request=request, actor=None, now=timezone.now())
            if not patience:
                raise CommandError(
                    f"{problem} Job {job.pk} does that: ask again when it is done."
                ) from problem
            self.stdout.write(f"Predicting {problem.n:,} items of the pool first (job {job.pk})")
            await_job(job, patience)
            return plan_choice(study=study, request=request, now=timezone.now())

    def _tell(self, plan: ChoicePlan) -> None:
        self.stdout.write(
            f"{len(plan.draw.chosen):,} of {len(plan.candidates.items):,} items: {plan.n_strategy:,} by "
            f"{plan.draw.strategy}, {plan.n_random:,} at random; about {plan.minutes:,.0f} minutes of work"
        )
        for share in plan.batch.shares:
            self.stdout.write(f"{share.annotator.username}: {len(share.items):,} items")
        self.stdout.write(f"plan {plan.batch.hash}")


def _request(study: Study, options: dict[str, Any]) -> ChoiceRequest:
    return ChoiceRequest(
        name=options["name"],
        strategy=StrategyName(options["strategy"]),
        samples=options["samples"] or list(study.samples.values_list("name", flat=True)),
        n=options["n"],
        random_share=options["random_share"],
        per_cost=options["per_cost"],
        annotators=options["annotators"] or list(annotators_of(study).values_list("username", flat=True)),
        seed=options["seed"],
        due_on=options["due"],
    )
