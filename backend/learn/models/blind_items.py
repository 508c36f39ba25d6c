"""Which items of the blind arm may decide on a promotion: judged without a suggestion, and seen by neither model."""

from __future__ import annotations

from collections.abc import Iterable

from backend.core.studies.models import Study
from backend.decide.releases.models import Release
from backend.design.samples.models import Item
from backend.learn.models.hooks import blind_items
from backend.learn.models.models import Adapter
from learning.adapters.folder import AdapterBroken, read_seen
from learning.tasks.contract import BlindItems


def blind_items_for(candidate: Adapter, incumbent: Adapter | None) -> BlindItems | None:
    """By the labels of the newest release of the candidate's edition with texts; None where there are no such items.

    Models that are broken are found to be so by the examination itself, which never gets as far as a comparison.
    """
    study = candidate.study
    release = _newest(candidate)
    seen: set[str] = set()
    for adapter in filter(None, (candidate, incumbent)):
        try:
            seen |= read_seen(adapter.folder).all()
        except AdapterBroken:
            return None
    blind = frozenset[str]().union(*blind_items(study))
    found = _of_unseen_posts(study, blind, seen)
    return BlindItems(str(release.folder), release.hash, found) if found else None


def _newest(candidate: Adapter) -> Release:
    releases = candidate.study.releases.filter(edition=candidate.edition, request__texts=True)
    return releases.first() or candidate.release


def _of_unseen_posts(study: Study, blind: Iterable[str], seen: set[str]) -> tuple[str, ...]:
    """Replies under one post share its text, so that a post that was learned from decides nothing."""
    items = Item.objects.filter(study=study).values_list("item_id", "platform", "community", "post_id")
    post = {item: (platform, community, post_id) for item, platform, community, post_id in items}
    learned = {post[item] for item in seen if item in post}
    return tuple(sorted(item for item in blind if item not in seen and post[item] not in learned))
