"""Items that come with a release, beside those that a study already has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from annotation.release.rows import ReleaseItem
from backend.core.studies.models import Study
from backend.decide.releases.errors import OtherItems, WordsWanted
from backend.design.samples.models import Item

BATCH = 500
_PLACE = ("platform", "community", "post_id", "reply_id")
_TEXTS = ("title", "post_text", "reply_text")
_USES = ("draws", "assigned_items", "gold_answers", "decisions", "suspicions")


def store_items(study: Study, released: Iterable[ReleaseItem]) -> None:
    """Items that are there stay as they are; those without words get the release's, if it has them.

    Raises OtherItems where an id stands for another text or place here than in the release.
    """
    wanted = [_item(study, item) for item in released]
    there = _there(study, [item.item_id for item in wanted])
    other = [item.item_id for item in wanted if _differs(there.get(item.item_id), item)]
    if other:
        raise OtherItems(other)
    wordless = [
        there[item.item_id].pk
        for item in wanted
        if item.item_id in there and _fills(item, there[item.item_id])
    ]
    _remove_unused(wordless)
    gone = set(wordless)
    new = [item for item in wanted if item.item_id not in there or there[item.item_id].pk in gone]
    Item.objects.bulk_create(new, batch_size=BATCH)


def _there(study: Study, item_ids: Sequence[str]) -> dict[str, Item]:
    found: dict[str, Item] = {}
    for start in range(0, len(item_ids), BATCH):
        rows = study.items.filter(item_id__in=item_ids[start : start + BATCH])
        found.update({item.item_id: item for item in rows})
    return found


def _remove_unused(pks: Sequence[int]) -> None:
    """A row of an item is never rewritten, so one that has to change is made anew while nothing refers to it."""
    for start in range(0, len(pks), BATCH):
        rows = Item.objects.filter(pk__in=pks[start : start + BATCH])
        n_used = rows.count() - rows.filter(**dict.fromkeys(_USES)).count()
        if n_used:
            raise WordsWanted(n_used)
        rows.delete()


def _differs(here: Item | None, item: Item) -> bool:
    if here is None:
        return False
    if any(getattr(here, name) != getattr(item, name) for name in _PLACE):
        return True
    if not _has_words(here) or not _has_words(item):
        return False
    return any(getattr(here, name) != getattr(item, name) for name in _TEXTS)


def _fills(item: Item, here: Item) -> bool:
    return _has_words(item) and not _has_words(here)


def _has_words(item: Item) -> bool:
    return bool(item.title or item.post_text or item.reply_text)


def _item(study: Study, item: ReleaseItem) -> Item:
    """A release without texts brings items without words, which still have their ids."""
    texts = item.texts
    reply = texts.reply if texts else None
    return Item(
        study=study,
        item_id=item.item_id,
        platform=item.platform,
        community=item.community,
        post_id=item.post_id,
        reply_id=item.reply_id,
        title=texts.title if texts else "",
        post_text=texts.post if texts else "",
        reply_text=(reply or "") if item.reply_id is not None else None,
    )
