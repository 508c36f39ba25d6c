"""Lays a study's batches out as the stages of a draw, so that its labels can be weighted to stand for the samples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Q

from backend.annotate.batches.candidates import FIRST_TIME_KINDS, golden_items
from backend.annotate.batches.models import AssignedItem, BatchKind, BatchState
from backend.annotate.judgments.models import Submission
from backend.core.studies.models import Study
from backend.design.codebooks.selectors import asks_about_posts, edition_in_force
from backend.design.samples.models import Draw
from backend.learn.active_learning.models import ChosenItem
from backend.learn.prelabels.selectors import suggested_by
from learning.learning_curves.gold_weights import StagedItem, gold_weights
from learning.query_strategies.names import Stream

KINDS = tuple(kind for kind in FIRST_TIME_KINDS if kind != BatchKind.PRACTICE)


@dataclass(frozen=True, slots=True)
class Staged:
    """`weights` of drawn items that measure; `chosen` are those that a strategy brought in. All by item id."""

    weights: Mapping[str, float]
    chosen: frozenset[str]


def stage(study: Study, measuring: frozenset[str]) -> Staged:
    """Sample by sample: each is a pool of its own, from which batch after batch was drawn.

    Those of a batch that may measure stand for the others of their stream too: who is finished first, and who is
    shown a suggestion, is decided by chance.
    """
    choices = {
        (row.choice.batch_id, row.item.item_id): row
        for row in ChosenItem.objects.filter(choice__batch__study=study).select_related("choice", "item")
    }
    by_sample = _batches_by_sample(study)
    drawn = _drawn_items(study)
    weights: dict[str, float] = {}
    for sample, batches in by_sample.items():
        left, stages = len(drawn[sample]), []
        for batch_id, items in batches.items():
            at_random = len(items) / max(left, len(items))
            stages.append(
                [
                    _staged_item(
                        item, choices.get((batch_id, item)), at_random, drawn[sample][item], measuring
                    )
                    for item in items
                ]
            )
            left -= len(items)
        weights |= gold_weights(stages)
    chosen = frozenset(item for (_, item), row in choices.items() if row.stream == Stream.STRATEGY)
    return Staged(weights, chosen)


def _staged_item(
    item: str, row: ChosenItem | None, at_random: float, sampled: float, measuring: frozenset[str]
) -> StagedItem:
    """Batches that nobody chose for are dealt by chance: each item of what was left was as probable as any other."""
    stream = Stream(row.stream) if row else Stream.RANDOM
    probability = row.inclusion_probability if row else at_random
    return StagedItem(item, stream, probability, sampled, item in measuring)


def _drawn_items(study: Study) -> dict[int, dict[str, float]]:
    """By sample, its items with their probabilities; an item of several samples belongs to the first."""
    draws = Draw.objects.filter(sample__study=study).exclude(item__in=golden_items(study).values("pk"))
    if not asks_about_posts(edition_in_force(study)):
        draws = draws.exclude(item__reply_text=None)
    found: dict[int, dict[str, float]] = defaultdict(dict)
    seen: set[str] = set()
    rows = draws.order_by("sample_id", "position").values_list(
        "sample_id", "item__item_id", "inclusion_probability"
    )
    for sample, item, probability in rows:
        if item not in seen:
            seen.add(item)
            found[sample][item] = probability
    return found


def _batches_by_sample(study: Study) -> dict[int, dict[int, list[str]]]:
    """By sample, its batches in the order of their opening, each with its items."""
    home = {item: sample for sample, items in _drawn_items(study).items() for item in items}
    given = (
        AssignedItem.objects.filter(assignment__batch__study=study, assignment__batch__kind__in=KINDS)
        .exclude(assignment__batch__state=BatchState.DISCARDING)
        .order_by("assignment__batch__opened_at", "assignment__batch_id", "item__item_id")
        .values_list("assignment__batch_id", "item__item_id")
    )
    found: dict[int, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    seen: set[str] = set()
    for batch_id, item in given:
        if item in home and item not in seen:
            seen.add(item)
            found[home[item]][batch_id].append(item)
    return found


def suggested_items(study: Study) -> frozenset[str]:
    """Items whose judgments may owe something to a model's suggestion: these may teach, but not measure."""
    began_so = Submission.objects.filter(
        assigned_item__assignment__batch__study=study, from_prediction=True
    ).values("assigned_item__item")
    shown = study.items.filter(Q(pk__in=suggested_by(study).keys()) | Q(pk__in=began_so))
    return frozenset(shown.values_list("item_id", flat=True))
