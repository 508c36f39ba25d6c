"""Works out which items a request would choose and who would get them, without storing anything."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from backend.annotate.batches.planning import plan_batch
from backend.annotate.batches.plans import BatchPlan
from backend.annotate.judgments.models import Judgment
from backend.core.studies.models import Study
from backend.design.codebooks.selectors import codebook_of, edition_in_force
from backend.learn.active_learning.costs import minutes_of, study_cost_model
from backend.learn.active_learning.errors import CannotChoose
from backend.learn.active_learning.pool import Candidates, candidates_for, known_pool
from backend.learn.active_learning.requests import ChoiceRequest
from backend.learn.active_learning.words import AIM_WORDS
from codebook.schema import Codebook
from learning.query_strategies.cost import CostModel
from learning.query_strategies.mixed_draw import ChosenItem, DrawImpossible, MixedDraw, mixed_draw
from learning.query_strategies.named import StrategyRequest, make_strategy
from learning.query_strategies.names import Stream
from learning.query_strategies.pool import PoolUnfit


@dataclass(frozen=True, slots=True)
class ChoicePlan:
    """The draw, the batch it would become, and the minutes of each chosen item by its id."""

    request: ChoiceRequest
    candidates: Candidates
    draw: MixedDraw
    batch: BatchPlan
    costs: dict[str, float]
    cost_model: CostModel

    @property
    def streams(self) -> Counter[Stream]:
        return Counter(item.stream for item in self.draw.chosen)

    @property
    def n_random(self) -> int:
        return self.streams[Stream.RANDOM]

    @property
    def n_strategy(self) -> int:
        return self.streams[Stream.STRATEGY]

    @property
    def aim_words(self) -> str:
        return AIM_WORDS[self.request.strategy.aim]

    @property
    def minutes(self) -> float:
        return sum(self.costs[item.item_id] for item in self.draw.chosen)

    @property
    def lowest_probability(self) -> float:
        return float(self.draw.probabilities.min())

    @property
    def first_of_strategy(self) -> tuple[ChosenItem, ...]:
        return tuple(item for item in self.draw.chosen if item.stream is Stream.STRATEGY)


def plan_choice(*, study: Study, request: ChoiceRequest, now: datetime) -> ChoicePlan:
    """The same study and request give the same plan."""
    candidates = candidates_for(study, request)
    pool = known_pool(candidates, request.strategy)
    model = study_cost_model(study)
    minutes = minutes_of(model, candidates.items)
    codebook = codebook_of(candidates.adapters[0].edition if candidates.adapters else edition_in_force(study))
    wanted = StrategyRequest(
        name=request.strategy,
        n=request.n,
        seed=request.seed,
        codebook=codebook,
        n_found=n_found(study, codebook),
        costs=np.array(minutes) if request.per_cost else None,
    )
    try:
        draw = mixed_draw(
            pool,
            make_strategy(wanted),
            n=request.n,
            random_share=request.random_share,
            seed=request.seed,
            aim=request.strategy.aim,
        )
    except (DrawImpossible, PoolUnfit) as problem:
        raise CannotChoose(str(problem)) from problem
    chosen = request.batch_request(sorted(item.item_id for item in draw.chosen))
    costs = {item.item_id: cost for item, cost in zip(candidates.items, minutes, strict=True)}
    plan = plan_batch(study=study, request=chosen, now=now)
    return ChoicePlan(request, candidates, draw, plan, costs, model)


def n_found(study: Study, codebook: Codebook) -> dict[str, int]:
    """By code: in how many items somebody found it."""
    found: Counter[str] = Counter()
    present = {code.id: question.present_values for question, code in codebook.coded_questions()}
    rows = (
        Judgment.objects.filter(submission__assigned_item__assignment__batch__study=study)
        .values_list("code", "value", "submission__assigned_item__item_id")
        .distinct()
    )
    seen = {(code, item) for code, value, item in rows if value in present.get(code, ())}
    found.update(code for code, _ in seen)
    return dict(found)
