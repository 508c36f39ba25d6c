"""Draws a sample from the terminal."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from pydantic import ValidationError

from backend.core.jobs.terminal import study_named
from backend.design.samples.requests import DrawRequest
from backend.design.samples.services import SampleError, draw_into_study
from corpus.errors import CorpusError
from corpus.sampling.errors import SamplingError


class Command(BaseCommand):
    help = "Draw a sample from a corpus into a study. The same design, seed and corpus draw the same items."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("corpus", help="The corpus's short name.")
        parser.add_argument("--name", required=True)
        parser.add_argument("--design", required=True, choices=["pps_posts", "uniform_pairs", "whole_posts"])
        parser.add_argument("-n", type=int, required=True, help="Units from each community.")
        parser.add_argument("--seed", type=int, required=True)
        parser.add_argument("--take-all-if-smaller", action="store_true")
        parser.add_argument("--disjoint-from", nargs="*", default=[], metavar="SAMPLE")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        try:
            request = DrawRequest(
                name=options["name"],
                corpus=options["corpus"],
                kind=options["design"],
                n=options["n"],
                seed=options["seed"],
                take_all_if_smaller=options["take_all_if_smaller"],
                disjoint_from=options["disjoint_from"],
            )
            sample = draw_into_study(
                corpus=request.corpus_in(study),
                name=request.name,
                design=request.design(),
                seed=request.seed,
                disjoint_from=request.samples_to_avoid(study),
                actor=study.created_by,
                now=timezone.now(),
            )
        except (ValidationError, SampleError, SamplingError, CorpusError) as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(f"{sample.name}: {sample.n_items:,} items, frame {sample.frame_hash}")
