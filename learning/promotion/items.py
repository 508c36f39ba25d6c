"""Which items may decide between two models: those that chance brought, neither has seen and no suggestion has touched.

An item whose post a model has seen with another reply is as good as seen. An item that a strategy chose was chosen
because the model in service was unsure of it: on such items any other model looks better than it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from annotation.release.rows import ReleaseItem, ReleaseRow, SplitPart
from annotation.release.split import Post
from learning.promotion.findings import LeftOut
from learning.query_strategies.names import Stream


@dataclass(frozen=True, slots=True)
class DecidingItems:
    rows: tuple[ReleaseRow, ...]
    left_out: LeftOut


def deciding_items(
    rows: Sequence[ReleaseRow],
    *,
    seen_by_candidate: Collection[str],
    seen_by_opponent: Collection[str],
    suggested: Collection[str] = (),
) -> DecidingItems:
    """Of the test part. Items whose annotators saw a model's suggestion would favour that model."""
    posts = _posts(rows, {*seen_by_candidate, *seen_by_opponent})
    kept, candidate, opponent, near, touched, chosen = [], 0, 0, 0, 0, 0
    for row in rows:
        if row.split is not SplitPart.TEST:
            continue
        item = row.item.item_id
        if item in seen_by_candidate:
            candidate += 1
        elif item in seen_by_opponent:
            opponent += 1
        elif row.item.post in posts:
            near += 1
        elif row.item.suggested_by or item in suggested:
            touched += 1
        elif _was_chosen(row.item):
            chosen += 1
        else:
            kept.append(row)
    left_out = LeftOut(
        seen_by_candidate=candidate,
        seen_by_opponent=opponent,
        seen_post=near,
        suggested=touched,
        chosen=chosen,
    )
    return DecidingItems(tuple(kept), left_out)


def blind_items(
    rows: Sequence[ReleaseRow],
    *,
    blind: Collection[str],
    seen: Collection[str],
    elsewhere: Iterable[ReleaseRow] = (),
    tested: Collection[str] = (),
) -> DecidingItems:
    """Blind items that join the test part, as if they were of it; of the others, the chosen are counted.

    An item that a model has seen never counts, nor one whose post it has seen with another reply; `elsewhere` are rows
    of other releases by which posts are known. `tested` are of the test part already, and are not counted twice.
    """
    posts = _posts((*rows, *elsewhere), seen)
    unseen = [
        row
        for row in rows
        if row.item.item_id in blind
        and row.item.item_id not in seen
        and row.item.item_id not in tested
        and row.item.post not in posts
        and not row.item.suggested_by
    ]
    kept = tuple(replace(row, split=SplitPart.TEST) for row in unseen if not _was_chosen(row.item))
    return DecidingItems(kept, LeftOut(chosen=len(unseen) - len(kept)))


def _posts(rows: Iterable[ReleaseRow], seen: Collection[str]) -> set[Post]:
    return {row.item.post for row in rows if row.item.item_id in seen}


def _was_chosen(item: ReleaseItem) -> bool:
    """Older releases do not say which items of a batch chance brought: none of them may count."""
    return any(draw.batch and draw.stream != Stream.RANDOM for draw in item.draws)
