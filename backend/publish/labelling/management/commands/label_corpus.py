"""Has a corpus labelled from the terminal, follows it, and pauses, resumes or stops it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http import Http404
from django.utils import timezone
from pydantic import ValidationError

from backend.core.jobs.terminal import study_named
from backend.core.studies.models import Study
from backend.design.samples.models import Sample
from backend.publish.labelling import services
from backend.publish.labelling.errors import LabellingError
from backend.publish.labelling.models import LabellingRun, LabellingState
from backend.publish.labelling.progress import RunProgress, progress_of
from backend.publish.labelling.requests import LabelRequest
from backend.publish.labelling.running import done_words
from backend.publish.labelling.selectors import run_numbered

LOOK_EVERY_SECONDS = 1.0
CHANGES: dict[str, tuple[Callable[..., LabellingRun], str]] = {
    "pause": (services.pause_run, "pauses"),
    "resume": (services.resume_run, "goes on"),
    "cancel": (services.cancel_run, "is told to stop"),
}


class Command(BaseCommand):
    help = (
        "Label a corpus, or a sample of it, with a model of the study. The workers of the instance do it: "
        "with --wait this follows them."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("--corpus", default="", help="Short name; may be left out if there is only one.")
        parser.add_argument("--adapter", type=int, help="Number of the model; else the one in service.")
        parser.add_argument("--sample", default="", help="Name of a drawn sample: only what was drawn.")
        parser.add_argument(
            "--community",
            action="append",
            default=[],
            help="Only this community; can be given more than once.",
        )
        parser.add_argument("--posts", type=int, help="So many posts at random, each with all its replies.")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--price", help="Of a machine hour, to see what a thousand texts cost.")
        for name in CHANGES:
            parser.add_argument(f"--{name}", type=int, metavar="RUN", help=f"{name.capitalize()} a run.")
        parser.add_argument("--follow", type=int, metavar="RUN", help="Follow a run that was started before.")
        parser.add_argument(
            "--wait", type=float, default=0, help="Seconds to follow it to its end; 0: only start it."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        try:
            run = self._run(study, options)
        except (LabellingError, Http404) as problem:
            raise CommandError(str(problem)) from problem
        if options["wait"] or options["follow"]:
            self._follow(run, options["wait"] or float("inf"))

    def _run(self, study: Study, options: dict[str, Any]) -> LabellingRun:
        for name, (change, words) in CHANGES.items():
            if options[name]:
                run = change(run=run_numbered(study, options[name]), actor=None, now=timezone.now())
                self.stdout.write(f"Labelling run {run.number} {words}.")
                return run
        if options["follow"]:
            return run_numbered(study, options["follow"])
        run = services.start_run(
            study=study, request=_request(study, options), actor=None, now=timezone.now()
        )
        self.stdout.write(f"Labelling run {run.number} is started as job {run.job_id}.")
        return run

    def _follow(self, run: LabellingRun, patience: float) -> None:
        deadline, said = time.monotonic() + patience, ""
        while (progress := _progress(run)).is_under_way:
            if time.monotonic() > deadline:
                raise CommandError(
                    f"Labelling run {run.number} is not over after {patience:g} s. It goes on: see --follow."
                )
            if (line := _line(progress)) != said:
                said = line
                self.stderr.write(line)
            time.sleep(LOOK_EVERY_SECONDS)
        if progress.state != LabellingState.FINISHED:
            words = progress.error or f"Labelling run {run.number}: {progress.state.label.lower()}."
            raise CommandError(words)
        self.stdout.write(f"{done_words(progress.run)} They lie in {progress.run.folder}.")
        if progress.cost_per_thousand is not None:
            self.stdout.write(f"A thousand texts cost {progress.cost_words}.")


def _progress(run: LabellingRun) -> RunProgress:
    return progress_of(run_numbered(run.study, run.number), now=timezone.now())


def _line(progress: RunProgress) -> str:
    more = f" · {progress.cost_words} a thousand" if progress.cost_words else ""
    return f"{progress.what}: {progress.note}{more}"


def _request(study: Study, options: dict[str, Any]) -> LabelRequest:
    sample = _sample(study, options["sample"])
    try:
        return LabelRequest(
            corpus=options["corpus"] or (sample.corpus.slug if sample else _only_corpus(study)),
            adapter=options["adapter"],
            sample=sample.pk if sample else None,
            communities=options["community"],
            n_posts=options["posts"],
            seed=options["seed"],
            price_per_hour=options["price"] or None,
        )
    except ValidationError as problem:
        first = problem.errors()[0]
        raise CommandError(f"{first['loc'][0]}: {first['msg']}.") from problem


def _sample(study: Study, name: str) -> Sample | None:
    if not name:
        return None
    found = study.samples.select_related("corpus").filter(name=name).first()
    if found is None:
        raise CommandError(f"The study has no sample “{name}”.")
    return found


def _only_corpus(study: Study) -> str:
    slugs = [corpus.slug for corpus in study.corpora.all()]
    if len(slugs) != 1:
        raise CommandError(f"Name the corpus with --corpus: {', '.join(slugs) or 'there is none yet'}.")
    return slugs[0]
