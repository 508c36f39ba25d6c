"""What changes pre-labels: the settings, and what follows when an adapter enters service or a batch changes."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from backend.annotate.batches.item_states import items_of
from backend.annotate.batches.models import Batch, BatchKind
from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.learn.models.models import Adapter
from backend.learn.prelabels.errors import NothingToPush, WrongKinds, WrongShare
from backend.learn.prelabels.models import SUGGESTIBLE, ConditionAssignment, PrelabelChoice, PrelabelSettings
from backend.learn.prelabels.queue import enqueue_push
from backend.learn.prelabels.selectors import (
    choice_of,
    followed_batches,
    has_suggestions,
    sealed_posts,
    suggesting_in,
)
from learning.prelabel_experiment.randomization import draw_conditions


@transaction.atomic
def change_choice(*, study: Study, choice: PrelabelChoice, actor: User, now: datetime) -> PrelabelChoice:
    """Conditions that were drawn stay; a new share is for batches that are opened from now on."""
    if not 0 <= choice.blind_share <= 1:
        raise WrongShare
    wrong = [kind.label.lower() for kind in choice.kinds if kind not in SUGGESTIBLE]
    if wrong:
        raise WrongKinds(" and ".join(wrong))
    if choice == choice_of(study):
        return choice
    fields = {
        "is_on": choice.is_on,
        "blind_share": choice.blind_share,
        "kinds": [kind.value for kind in choice.kinds],
    }
    PrelabelSettings.objects.update_or_create(study=study, defaults=fields)
    record_event(study=study, actor=actor, summary=_summary(choice), now=now)
    push_everywhere(study=study, actor=actor, now=now)
    return choice


def push_everywhere(*, study: Study, actor: User | None, now: datetime) -> list[Job]:
    return [enqueue_push(batch=batch, actor=actor, now=now) for batch in followed_batches(study)]


def push_batch(*, batch: Batch, actor: User | None, now: datetime) -> Job:
    """On demand. Raises NothingToPush where the batch gets no suggestions and has none to lose."""
    suggesting = suggesting_in(batch)
    if suggesting.adapter is None and not has_suggestions(batch):
        raise NothingToPush(suggesting.why_not)
    return enqueue_push(batch=batch, actor=actor, now=now)


def push_if_wanted(batch: Batch, now: datetime) -> Job | None:
    """After a batch was brought in line: new items in Label Studio have no suggestions yet."""
    try:
        return push_batch(batch=batch, actor=None, now=now)
    except NothingToPush:
        return None


def follow_service(study: Study, adapter: Adapter | None, now: datetime) -> None:
    """Another adapter is in service, or none: what annotators have not begun follows."""
    push_everywhere(study=study, actor=None, now=now)


def _summary(choice: PrelabelChoice) -> str:
    if not choice.is_on:
        return "Switched pre-labels off"
    kinds = ", ".join(BatchKind(kind).label.lower() for kind in choice.kinds) or "no"
    return f"Pre-labels are on for {kinds} batches, {choice.blind_share:.0%} of posts blind"


# Deals the items of a batch to the conditions: by chance, by post, before anything is suggested, and for good.
def seal_opened_batch(batch: Batch, now: datetime) -> None:
    """With the opening of a batch, so that it is settled before anybody sees an item."""
    choice = choice_of(batch.study)
    if choice.is_on and batch.kind in choice.kinds:
        assign_conditions(batch, now=now)


def assign_conditions(batch: Batch, *, now: datetime) -> None:
    """Items that have a condition keep it; a post keeps the one it was given in whatever batch came first."""
    sealed = set(batch.condition_assignments.values_list("item_id", flat=True))
    items = [item for item in items_of(batch).defer("post_text", "reply_text") if item.pk not in sealed]
    posts = {item.pk: f"{item.platform}:{item.post_id}" for item in items}
    drawn = sealed_posts(batch.study)
    wanted = set(posts.values())
    conditions = draw_conditions(
        wanted,
        share=choice_of(batch.study).blind_share,
        seed=batch.seed,
        drawn={post: condition for post, condition in drawn.items() if post in wanted},
    )
    rows = [
        ConditionAssignment(batch=batch, item=item, condition=conditions[posts[item.pk]].value, drawn_at=now)
        for item in items
    ]
    # Of two that seal at once, the first counts.
    ConditionAssignment.objects.bulk_create(rows, batch_size=1000, ignore_conflicts=True)
