"""What pages, calls and services read about pre-labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from backend.annotate.batches.models import AssignedItem, Batch, BatchKind, BatchState
from backend.annotate.judgments.models import SubmissionState
from backend.core.studies.models import Study
from backend.design.samples.models import Item
from backend.learn.models.models import Adapter
from backend.learn.models.selectors import adapter_in_service
from backend.learn.prelabels.models import ConditionAssignment, PrelabelChoice, PrelabelSettings, Suggestion
from backend.learn.prelabels.scope import suggests_nothing
from learning.prelabel_experiment.values import Condition

IN_WORK = (BatchState.OPEN, BatchState.PAUSED)


def choice_of(study: Study) -> PrelabelChoice:
    """The default until somebody changes it."""
    row = PrelabelSettings.objects.filter(study=study).first()
    if row is None:
        return PrelabelChoice()
    return PrelabelChoice(row.is_on, row.blind_share, tuple(BatchKind(kind) for kind in row.kinds))


@dataclass(frozen=True, slots=True)
class Suggesting:
    """The adapter whose suggestions a batch is to show; without one, `why_not` says why."""

    adapter: Adapter | None
    why_not: str = ""


def suggesting_in(batch: Batch) -> Suggesting:
    choice = choice_of(batch.study)
    if batch.kind not in choice.kinds:
        return Suggesting(None, f"{BatchKind(batch.kind).label} batches get no suggestions in this study.")
    if batch.state not in IN_WORK:
        return Suggesting(None, "The batch is over.")
    if not choice.is_on:
        return Suggesting(None, "Pre-labels are switched off.")
    adapter = adapter_in_service(batch.study)
    if adapter is None:
        return Suggesting(None, "No adapter is in service: promote one first.")
    if adapter.edition_id != batch.edition_id:
        return Suggesting(
            None,
            f"“{adapter.name}” was trained on another edition of the codebook than this batch is judged by.",
        )
    if suggests_nothing(adapter):
        return Suggesting(
            None,
            f"“{adapter.name}” marks no words, and every theme it judges needs some: what it ticks would be refused.",
        )
    return Suggesting(adapter)


def has_suggestions(batch: Batch) -> bool:
    shown = Suggestion.objects.filter(assigned_item__assignment__batch=batch, withheld_at=None)
    return shown.exists()


def followed_batches(study: Study) -> list[Batch]:
    """In work, and either to have suggestions or with some that may have to go."""
    shown = Suggestion.objects.filter(assigned_item__assignment__batch=OuterRef("pk"), withheld_at=None)
    wanted = Q(kind__in=choice_of(study).kinds) | Exists(shown)
    found = study.batches.filter(wanted, state__in=IN_WORK)
    return list(found.select_related("study", "edition").order_by("-opened_at", "-pk"))


def conditions_of(batch: Batch) -> dict[int, Condition]:
    """By the item's row."""
    return {
        item: Condition(condition)
        for item, condition in batch.condition_assignments.values_list("item_id", "condition")
    }


def unanswered_places(batch: Batch) -> QuerySet[AssignedItem]:
    return AssignedItem.objects.filter(assignment__batch=batch, taken_back_at=None, submission=None)


def shown_suggestions(study: Study) -> QuerySet[Suggestion]:
    """What annotators really could see."""
    return Suggestion.objects.filter(
        assigned_item__assignment__batch__study=study, shown_at__isnull=False
    ).select_related("prediction__adapter", "assigned_item")


def suggested_by(study: Study) -> dict[int, tuple[str, ...]]:
    """By item: the adapters whose suggestion somebody could see before they submitted the judgment that counts.

    What was taken back before they began counts only if they had it open and began from it nevertheless.
    """
    found: defaultdict[int, set[str]] = defaultdict(set)
    in_view = Q(taken_back_at=None) | Q(assigned_item__submission__from_prediction=True)
    judged = shown_suggestions(study).filter(
        in_view, assigned_item__submission__state=SubmissionState.SUBMITTED
    )
    rows = judged.order_by().values_list("assigned_item__item_id", "prediction__adapter__adapter_id")
    for item, adapter in rows:
        found[item].add(adapter)
    return {item: tuple(sorted(adapters)) for item, adapters in found.items()}


def sealed_items(batch: Batch) -> QuerySet[Item]:
    return Item.objects.filter(condition_assignments__batch=batch)


def blind_item_ids(study: Study) -> frozenset[str]:
    blind = _blind_only(ConditionAssignment.objects.filter(batch__study=study))
    return frozenset(blind.values_list("item__item_id", flat=True))


def blind_among(items: Iterable[int]) -> frozenset[int]:
    """Those of these items, by their rows, that are blind."""
    blind = _blind_only(ConditionAssignment.objects.filter(item__in=list(items)))
    return frozenset(blind.values_list("item_id", flat=True))


def _blind_only(conditions: QuerySet[ConditionAssignment]) -> QuerySet[ConditionAssignment]:
    """Blind in every batch that they were dealt in."""
    suggested = conditions.filter(condition=Condition.SUGGESTED).order_by().values("item")
    return conditions.filter(condition=Condition.BLIND).order_by().exclude(item__in=suggested)


def sealed_posts(study: Study) -> dict[str, Condition]:
    """The condition that each post was given first."""
    rows = ConditionAssignment.objects.filter(batch__study=study).order_by("-pk")
    columns = ("item__platform", "item__post_id", "condition")
    return {
        f"{platform}:{post}": Condition(condition) for platform, post, condition in rows.values_list(*columns)
    }
