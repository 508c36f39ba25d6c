"""Which items may decide between two models: those that neither has seen and no suggestion has touched."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from annotation.gate.findings import LeftOut
from annotation.release.rows import ReleaseRow, SplitPart


@dataclass(frozen=True, slots=True)
class DecidingItems:
    rows: tuple[ReleaseRow, ...]
    left_out: LeftOut


def deciding_items(
    rows: Iterable[ReleaseRow],
    *,
    seen_by_candidate: Collection[str],
    seen_by_opponent: Collection[str],
    suggested: Collection[str] = (),
) -> DecidingItems:
    """Of the test part. Items whose annotators saw a model's suggestion would favour that model."""
    kept, candidate, opponent, touched = [], 0, 0, 0
    for row in rows:
        if row.split is not SplitPart.TEST:
            continue
        item = row.item.item_id
        if item in seen_by_candidate:
            candidate += 1
        elif item in seen_by_opponent:
            opponent += 1
        elif row.item.suggested_by or item in suggested:
            touched += 1
        else:
            kept.append(row)
    left_out = LeftOut(seen_by_candidate=candidate, seen_by_opponent=opponent, suggested=touched)
    return DecidingItems(tuple(kept), left_out)


def blind_rows(
    rows: Sequence[ReleaseRow],
    *,
    blind: Collection[str],
    seen: Collection[str],
    elsewhere: Iterable[ReleaseRow] = (),
    deciding: Collection[str] = (),
) -> tuple[ReleaseRow, ...]:
    """Items of the blind arm that join the test part, as if they were of it.

    An item that a model has seen never counts, nor one whose post it has seen with another reply; `elsewhere` are rows
    of other releases by which posts are known. Items that decide already are not counted twice.
    """
    posts = {row.item.post for row in (*rows, *elsewhere) if row.item.item_id in seen}
    return tuple(
        replace(row, split=SplitPart.TEST)
        for row in rows
        if row.item.item_id in blind
        and row.item.item_id not in seen
        and row.item.item_id not in deciding
        and row.item.post not in posts
        and not row.item.suggested_by
    )
