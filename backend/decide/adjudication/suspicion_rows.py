"""Leaves the search for suspects to a worker, and stores what it found: the same again adds nothing, and what is no
longer found goes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.services import enqueue_job
from backend.core.studies.models import Study
from backend.decide.adjudication.models import Suspicion
from backend.decide.adjudication.selectors import standings

FIND_SUSPECTS = "find_suspects"
CHUNK = 500
Key = tuple[int, str, str, str]


def enqueue_find_suspects(*, study: Study, actor: User, now: datetime) -> Job:
    return enqueue_job(
        kind=FIND_SUSPECTS, arguments={"study": study.pk}, study=study, created_by=actor, now=now
    )


@transaction.atomic
def store_suspicions(
    study: Study, searched: QuerySet[Suspicion], found: Iterable[Suspicion], *, now: datetime
) -> int:
    """How many are new or back; `searched` is everything that the search would have found again.

    What was dismissed stays so, whether it is found again or not. A decided item is reopened only by a suspicion that
    says what is new since (`reopens`), and once for each kind, whatever codes it doubts.
    """
    wanted = {_key(one): one for one in found}
    known = {_key(row): row for row in searched.filter(dismissed_at=None)}
    raised = _raise_suspicions(study, searched, wanted, known)
    gone = [row.pk for key, row in known.items() if row.gone_at is None and key not in wanted]
    _update(gone, gone_at=now)
    back = [known[key] for key in raised if key in known]
    for row in back:
        row.gone_at, row.found_at, row.reopens = None, now, raised[_key(row)].reopens
    Suspicion.objects.bulk_update(back, ["gone_at", "found_at", "reopens"], batch_size=CHUNK)
    before = searched.count()
    fresh = [one for key, one in raised.items() if key not in known]
    Suspicion.objects.bulk_create(fresh, ignore_conflicts=True, batch_size=CHUNK)
    return len(back) + searched.count() - before


def _raise_suspicions(
    study: Study, searched: QuerySet[Suspicion], wanted: dict[Key, Suspicion], known: dict[Key, Suspicion]
) -> dict[Key, Suspicion]:
    """Those that are not open already and may be."""
    decided = {pk: found for pk, found in standings(study).items() if found.final}
    dismissed = set(searched.filter(dismissed_at__isnull=False).values_list("item_id", "kind", "code"))
    # A search may be about one code; what has reopened the item on account of another counts too
    reopened = Suspicion.objects.filter(~Q(reopens=""), item__study=study).values_list(
        "item_id", "kind", "found_at", "gone_at"
    )
    # While it stands open nobody has looked again yet, and others may join it
    closed = {
        (pk, kind)
        for pk, kind, found_at, gone_at in reopened
        if gone_at or (pk in decided and not decided[pk].leaves_open(found_at))
    }
    raised = {}
    for key, one in wanted.items():
        row, standing = known.get(key), decided.get(one.item_id)
        is_found = row is not None and row.gone_at is None
        if row and is_found and (standing is None or standing.leaves_open(row.found_at)):
            continue
        if standing is None:
            one.reopens = ""
            raised[key] = one
        elif one.reopens and key[:2] not in closed and key[:3] not in dismissed:
            raised[key] = one
            # Two other answers may be suspected of one code: one look is enough
            dismissed.add(key[:3])
    return raised


def _key(row: Suspicion) -> Key:
    return row.item_id, row.kind, row.code, row.detail_hash


def _update(pks: Sequence[int], **changes: datetime | None) -> None:
    for start in range(0, len(pks), CHUNK):
        Suspicion.objects.filter(pk__in=pks[start : start + CHUNK]).update(**changes)
