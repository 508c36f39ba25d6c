"""Grids: several trainings of one request side by side, of which the best is told on the validation part alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import product
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.http import Http404

from annotation.release.rows import SplitPart
from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.selectors import study_jobs
from backend.core.studies.models import Study
from backend.decide.releases.models import Release
from backend.learn.models.errors import TooManyTrainings
from backend.learn.models.models import Adapter, TrainingGrid
from backend.learn.models.queue import TRAIN_ADAPTER, enqueue_training, refuse_textless
from backend.learn.models.requests import GridRequest, TrainJob, TrainRequest
from backend.learn.models.selectors import adapters_of
from learning.learners.spec import RATE
from learning.scoring.values import ScoreEstimate, main_score

MOST_TRAININGS = 24


@dataclass(frozen=True, slots=True)
class GridRow:
    """A training of a grid; `score` is on the validation part, None until it is trained."""

    job: Job
    request: TrainRequest
    adapter: Adapter | None
    score: ScoreEstimate | None
    is_best: bool

    @property
    def rate(self) -> float | None:
        found = self.request.options.get(RATE)
        return float(found) if found is not None else None


def requests_of(asked: GridRequest) -> list[TrainRequest]:
    """Each pair of rate and seed once, in the order given."""
    rates: list[float | None] = list(dict.fromkeys(asked.learning_rates)) or [None]
    seeds = list(dict.fromkeys(asked.seeds)) or [asked.seed]
    several = len(rates) * len(seeds) > 1
    common = asked.model_dump(exclude={"learning_rates", "seeds"})
    return [_one(common, rate, seed, named=several) for rate, seed in product(rates, seeds)]


def _one(common: dict[str, Any], rate: float | None, seed: int, *, named: bool) -> TrainRequest:
    options = {**common["options"], **({} if rate is None else {RATE: rate})}
    name = common["name"]
    if named and name:
        name = f"{name[:90]}, " + ", ".join([*([f"rate {rate:g}"] if rate else []), f"seed {seed}"])
    return TrainRequest.model_validate({**common, "options": options, "seed": seed, "name": name})


@transaction.atomic
def enqueue_grid(
    *, study: Study, release: Release, asked: GridRequest, actor: User | None, now: datetime
) -> TrainingGrid:
    refuse_textless(release)
    requests = requests_of(asked)
    if len(requests) > MOST_TRAININGS:
        raise TooManyTrainings(len(requests), MOST_TRAININGS)
    Study.objects.select_for_update().get(pk=study.pk)
    newest: int | None = study.training_grids.aggregate(newest=Max("number"))["newest"]
    grid = TrainingGrid.objects.create(
        study=study,
        number=(newest or 0) + 1,
        release=release,
        learner=asked.learner,
        request=asked.model_dump(mode="json"),
        created_by=actor,
        created_at=now,
    )
    for request in requests:
        enqueue_training(
            study=study, release=release, request=request, actor=actor, now=now, grid=grid.number
        )
    return grid


def grid_numbered(study: Study, number: int) -> TrainingGrid:
    found = study.training_grids.select_related("release", "created_by", "study").filter(number=number)
    grid = found.first()
    if grid is None:
        raise Http404(f"This study has no grid {number}.")
    return grid


def grid_rows(grid: TrainingGrid) -> list[GridRow]:
    """In the order in which they were asked for."""
    jobs = study_jobs(grid.study_id).filter(kind=TRAIN_ADAPTER, arguments__grid=grid.number).order_by("pk")
    adapters = {adapter.number: adapter for adapter in adapters_of(grid.study)}
    rows = [_row(job, adapters) for job in jobs]
    scores = [row.score.value for row in rows if row.score and row.score.value is not None]
    best = max(scores, default=None)
    return [
        GridRow(
            row.job,
            row.request,
            row.adapter,
            row.score,
            bool(row.score and row.score.value == best and best is not None),
        )
        for row in rows
    ]


def _row(job: Job, adapters: dict[int, Adapter]) -> GridRow:
    number = job.result.get("adapter") if isinstance(job.result, dict) else None
    adapter = adapters.get(number) if isinstance(number, int) else None
    request = TrainJob.model_validate(job.arguments).request
    return GridRow(job, request, adapter, validation_score(adapter) if adapter else None, False)


def validation_score(adapter: Adapter) -> ScoreEstimate | None:
    measures = adapter.read_card().measures
    found = measures.get(SplitPart.VALIDATION.value)
    return main_score(found) if found else None
