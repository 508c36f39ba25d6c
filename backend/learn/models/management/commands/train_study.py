"""Has adapters trained on a release of a study, from the terminal."""

from __future__ import annotations

from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http import Http404
from django.utils import timezone
from pydantic import ValidationError

from backend.core.jobs.models import Job
from backend.core.jobs.terminal import await_job, study_named
from backend.core.studies.models import Study
from backend.decide.releases.models import Release
from backend.decide.releases.selectors import release_numbered
from backend.learn.models.errors import AdapterError
from backend.learn.models.grids import enqueue_grid, grid_rows, requests_of
from backend.learn.models.queue import enqueue_training
from backend.learn.models.requests import GridRequest


class Command(BaseCommand):
    help = (
        "Train an adapter on a release of a study, as a job that the workers of a running instance do. Several "
        "--learning-rate or --seed make a grid: one adapter each. `train` does the same with folders alone."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("release", type=int, help="Number of a release with texts.")
        parser.add_argument("--learner", default="encoder-lora")
        parser.add_argument(
            "--option",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="Of the learner; may be repeated.",
        )
        parser.add_argument("--learning-rate", action="append", type=float, default=[])
        parser.add_argument("--seed", action="append", type=int, default=[], help="Default: 1.")
        parser.add_argument(
            "--from",
            dest="parent",
            type=int,
            metavar="ADAPTER",
            help="Number of an adapter of the same learner to begin from.",
        )
        parser.add_argument("--name", default="", help="Of the adapter.")
        parser.add_argument("--wait", type=float, default=0, help="Seconds to wait; 0: only ask for it.")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        try:
            release = release_numbered(study, options["release"])
            asked = GridRequest.model_validate(
                {
                    "release": release.number,
                    "learner": options["learner"],
                    "options": dict(map(_option, options["option"])),
                    "learning_rates": options["learning_rate"],
                    "seeds": options["seed"] or [1],
                    "name": options["name"],
                    "parent": options["parent"],
                }
            )
            jobs = _jobs(study, release, asked)
        except (AdapterError, Http404, ValidationError) as problem:
            raise CommandError(str(problem)) from problem
        for job in jobs:
            if options["wait"]:
                self.stdout.write(str(await_job(job, options["wait"])["summary"]))
            else:
                self.stdout.write(f"Job {job.pk} trains it.")


def _option(given: str) -> tuple[str, Any]:
    """A value is JSON where it reads as such, and words otherwise."""
    name, found, value = given.partition("=")
    if not found:
        raise CommandError(f"--option {given}: write NAME=VALUE.")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def _jobs(study: Study, release: Release, asked: GridRequest) -> list[Job]:
    now = timezone.now()
    requests = requests_of(asked)
    if len(requests) == 1:
        return [enqueue_training(study=study, release=release, request=requests[0], actor=None, now=now)]
    grid = enqueue_grid(study=study, release=release, asked=asked, actor=None, now=now)
    return [row.job for row in grid_rows(grid)]
