"""What brings items into the queue besides the answers themselves: flags, quarantine, suspicions; and what holds
them back."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from backend.annotate.batches.selectors import unfinished_work
from backend.annotate.discussions.selectors import unsettled_flags
from backend.annotate.judgments.models import Quarantined
from backend.core.studies.models import Study
from backend.decide.adjudication.annotator_answers import LEFT_OUT
from backend.decide.adjudication.selectors import open_suspicions

T = TypeVar("T")
LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Needs:
    """By item, with when each came up; a flag waits for its end whenever it came, so that these are only counted.

    `unfinished` are items that an annotator still has to judge.
    """

    flags: Mapping[int, int]
    quarantined: dict[int, list[datetime]]
    suspicions: dict[int, list[tuple[datetime, str]]]
    unfinished: frozenset[int]


def needs_of(study: Study, items: Collection[int] | None = None) -> Needs:
    """Of these items, or of all."""
    flags = unsettled_flags().filter(assignment__batch__study=study)
    suspicions = open_suspicions(study)
    if items is not None:
        flags, suspicions = flags.filter(item__in=items), suspicions.filter(item__in=items)
    return Needs(
        flags=Counter(flags.values_list("item_id", flat=True)),
        quarantined=_by_item(_unsound(study, items)),
        suspicions=_by_item(
            (item, (found_at, code))
            for item, found_at, code in suspicions.values_list("item_id", "found_at", "code")
        ),
        unfinished=_unfinished_items(study, items),
    )


def _unsound(study: Study, items: Collection[int] | None) -> Iterable[tuple[int, datetime]]:
    """Only where no sound answer stands beside it: a superfluous second annotation keeps nobody waiting."""
    rows = Quarantined.objects.filter(
        assigned_item__assignment__batch__study=study, assigned_item__submission=None
    ).exclude(assigned_item__assignment__batch__kind__in=LEFT_OUT)
    if items is not None:
        rows = rows.filter(assigned_item__item__in=items)
    for item, seen_at in rows.values_list("assigned_item__item_id", "version__seen_at"):
        if item is not None:
            yield item, seen_at


def _unfinished_items(study: Study, items: Collection[int] | None) -> frozenset[int]:
    """An answer in quarantine was given, so that it holds nothing back."""
    rows = (
        unfinished_work()
        .filter(assignment__batch__study=study, quarantined=None)
        .exclude(assignment__batch__kind__in=LEFT_OUT)
    )
    if items is not None:
        rows = rows.filter(item__in=items)
    return frozenset(rows.values_list("item_id", flat=True))


def _by_item(pairs: Iterable[tuple[int, T]]) -> dict[int, list[T]]:
    found: dict[int, list[T]] = defaultdict(list)
    for item, value in pairs:
        found[item].append(value)
    return dict(found)
