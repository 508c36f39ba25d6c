"""Deals the items of a batch to the arms: by chance, by post, before anything is suggested, and for good."""

from __future__ import annotations

from datetime import datetime

from backend.annotate.batches.item_states import items_of
from backend.annotate.batches.models import Batch
from backend.learn.prelabels.models import SealedArm
from backend.learn.prelabels.selectors import choice_of, sealed_posts
from learning.prelabel_experiment.drawing import draw_arms


def seal_opened_batch(batch: Batch, now: datetime) -> None:
    """With the opening of a batch, so that it is settled before anybody sees an item."""
    choice = choice_of(batch.study)
    if choice.is_on and batch.kind in choice.kinds:
        seal_arms(batch, now=now)


def seal_arms(batch: Batch, *, now: datetime) -> None:
    """Items that have an arm keep it; a post keeps the one it was given in whatever batch came first."""
    sealed = set(batch.sealed_arms.values_list("item_id", flat=True))
    items = [item for item in items_of(batch).defer("post_text", "reply_text") if item.pk not in sealed]
    posts = {item.pk: f"{item.platform}:{item.post_id}" for item in items}
    drawn = sealed_posts(batch.study)
    wanted = set(posts.values())
    arms = draw_arms(
        wanted,
        share=choice_of(batch.study).blind_share,
        seed=batch.seed,
        drawn={post: arm for post, arm in drawn.items() if post in wanted},
    )
    rows = [SealedArm(batch=batch, item=item, arm=arms[posts[item.pk]].value, drawn_at=now) for item in items]
    # Of two that seal at once, the first counts.
    SealedArm.objects.bulk_create(rows, batch_size=1000, ignore_conflicts=True)
