"""Stores what a search for suspects found: the same again adds nothing, and what is no longer found goes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from backend.adjudication.models import Suspicion

CHUNK = 500


@transaction.atomic
def store_suspicions(searched: QuerySet[Suspicion], found: Iterable[Suspicion], *, now: datetime) -> int:
    """How many are new or back; `searched` is everything that the search would have found again.

    What was dismissed stays so, whether it is found again or not.
    """
    wanted = {(one.item_id, one.kind, one.code, one.detail_hash): one for one in found}
    known = {
        tuple(key): (pk, gone_at)
        for pk, gone_at, *key in searched.filter(dismissed_at=None).values_list(
            "pk", "gone_at", "item_id", "kind", "code", "detail_hash"
        )
    }
    gone = [pk for key, (pk, gone_at) in known.items() if gone_at is None and key not in wanted]
    back = [pk for key, (pk, gone_at) in known.items() if gone_at is not None and key in wanted]
    _update(gone, gone_at=now)
    _update(back, gone_at=None, found_at=now)
    before = searched.count()
    fresh = [one for key, one in wanted.items() if key not in known]
    Suspicion.objects.bulk_create(fresh, ignore_conflicts=True, batch_size=CHUNK)
    return len(back) + searched.count() - before


def _update(pks: Sequence[int], **changes: datetime | None) -> None:
    for start in range(0, len(pks), CHUNK):
        Suspicion.objects.filter(pk__in=pks[start : start + CHUNK]).update(**changes)
