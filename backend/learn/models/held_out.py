"""Which items are decided without any word of a model, because what is decided about them measures models."""

from __future__ import annotations

from collections.abc import Iterable

from backend.core.studies.models import Study
from backend.decide.releases.tested import tested_posts
from backend.design.samples.models import Item
from backend.learn.models.hooks import blind_among

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
