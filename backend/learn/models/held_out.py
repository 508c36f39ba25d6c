"""Which items are decided without any word of a model, because what is decided about them measures models."""

from __future__ import annotations

from collections.abc import Iterable

from backend.core.studies.models import Study
from backend.decide.releases.models import Release
from backend.decide.releases.selectors import tested_posts
from backend.design.samples.models import Item
from backend.learn.models.hooks import blind_among, blind_items
from backend.learn.models.models import Adapter
from learning.adapters.folder import AdapterBroken, read_seen
from learning.tasks.contract import BlindItems

BLIND = "This item is blind: it measures models, and is decided without the word of one."
TESTED = (
    "Its post is in the test part of a release: it measures models, and is decided without the word of one."
)


def why_withheld(study: Study, items: Iterable[Item]) -> dict[int, str]:
    """By item, of those that no model may say anything about."""
    listed = list(items)
    tested = tested_posts(study)
    blind = frozenset[int]().union(*blind_among([item.pk for item in listed]))
    found = {item.pk: TESTED for item in listed if (item.platform, item.community, item.post_id) in tested}
    return found | dict.fromkeys(blind, BLIND)


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
