"""How long items are expected to take, from how long those took that were judged."""

from __future__ import annotations

from collections.abc import Sequence

from backend.annotate.judgments.models import Submission, SubmissionState
from backend.core.studies.models import Study
from backend.design.samples.models import Item
from learning.query_strategies.cost import CostModel, cost_model

SECONDS_A_MINUTE = 60
# The newest ones tell how people work now.
MOST_RECENT = 600


def n_words(item: Item) -> int:
    return sum(len(text.split()) for text in (item.title, item.post_text, item.reply_text or ""))


def study_cost_model(study: Study) -> CostModel:
    """From Label Studio's times of the newest submissions."""
    timed = (
        Submission.objects.filter(
            assigned_item__assignment__batch__study=study,
            state=SubmissionState.SUBMITTED,
            lead_seconds__gt=0,
        )
        .select_related("assigned_item__item")
        .order_by("-submitted_at", "-pk")[:MOST_RECENT]
    )
    words = [n_words(one.assigned_item.item) for one in timed]
    return cost_model(words, [(one.lead_seconds or 0.0) / SECONDS_A_MINUTE for one in timed])


def minutes_of(model: CostModel, items: Sequence[Item]) -> list[float]:
    return [float(cost) for cost in model.costs([n_words(item) for item in items])]
