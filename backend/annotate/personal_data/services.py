"""Scans items for personal data, replaces what is found or keeps it, and takes replacements back.

A text is changed only while its item is in no batch and has no gold: afterwards its words are what somebody marked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from backend.annotate.batches.models import AssignedItem
from backend.annotate.batches.services.opening import one_opening_at_a_time
from backend.annotate.personal_data.models import Finding, FindingState, TextPart
from backend.annotate.practice.models import GoldAnswer
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.design.samples.models import Item, Sample
from backend.design.samples.texts import texts_of
from corpus.personal_data import PersonalKind, find_personal_data

SCANNED_AT_ONCE = 500
Report = Callable[[int, int], None]


class PersonalDataError(Exception):
    """Nothing was changed; the message says why and what to do."""


class TextsInUse(PersonalDataError):
    def __init__(self, n_items: int) -> None:
        items = "1 item is in a batch or has" if n_items == 1 else f"{n_items:,} items are in a batch or have"
        super().__init__(
            f"{items} gold answers, which mark words by their places: these texts stay as they are. Choose others, or "
            "keep these places."
        )


class NothingChosen(PersonalDataError):
    def __init__(self) -> None:
        super().__init__("No place was chosen: tick some.")


def scan_sample(
    *,
    sample: Sample,
    names: Iterable[str],
    report: Report = lambda done, total: None,
    writing: Callable[[], AbstractContextManager[None]] = transaction.atomic,
) -> int:
    """Looks through every text of the sample; how many places are open then. What was decided stays decided."""
    names = sorted({name.strip() for name in names if len(name.strip()) > 1}, key=len, reverse=True)
    items = items_of(sample).order_by("pk")
    pks = list(items.values_list("pk", flat=True))
    for begin in range(0, len(pks), SCANNED_AT_ONCE):
        report(begin, len(pks))
        with writing():
            _scan(list(Item.objects.filter(pk__in=pks[begin : begin + SCANNED_AT_ONCE])), names)
    report(len(pks), len(pks))
    return findings_in(sample).filter(state=FindingState.OPEN).count()


def items_of(sample: Sample) -> QuerySet[Item]:
    return Item.objects.filter(draws__sample=sample)


def findings_in(sample: Sample) -> QuerySet[Finding]:
    return Finding.objects.filter(item__draws__sample=sample)


def _scan(items: Sequence[Item], names: Iterable[str]) -> None:
    open_before = Finding.objects.filter(item__in=items, state=FindingState.OPEN)
    open_before.delete()
    decided: dict[tuple[int, str], list[tuple[int, int]]] = defaultdict(list)
    for found in Finding.objects.filter(item__in=items):
        decided[found.item_id, found.part].append((found.start, found.end))
    Finding.objects.bulk_create(
        Finding(item=item, part=part, kind=hit.kind.value, start=hit.start, end=hit.end)
        for item in items
        for part in TextPart.values
        for hit in find_personal_data(getattr(item, part) or "", names)
        if all(hit.end <= start or end <= hit.start for start, end in decided[item.pk, part])
    )


@transaction.atomic
def keep_findings(*, study: Study, findings: QuerySet[Finding], actor: User, now: datetime) -> int:
    n = findings.filter(item__study=study, state=FindingState.OPEN).update(
        state=FindingState.KEPT, decided_by=actor, decided_at=now
    )
    return _told(study, n, f"Kept {_places(n)} that looked like personal data", actor, now)


@transaction.atomic
def reopen_findings(*, study: Study, findings: QuerySet[Finding], actor: User, now: datetime) -> int:
    """Takes back that they were kept."""
    n = findings.filter(item__study=study, state=FindingState.KEPT).update(
        state=FindingState.OPEN, decided_by=None, decided_at=None
    )
    return _told(study, n, f"Opened {_places(n)} again that looked like personal data", actor, now)


@transaction.atomic
def replace_findings(*, study: Study, findings: QuerySet[Finding], actor: User, now: datetime) -> int:
    """Each by a word for its kind, in the texts of items that are not in use. Raises TextsInUse."""
    one_opening_at_a_time(study)
    chosen = findings.filter(item__study=study, state=FindingState.OPEN)
    items = {item.pk: item for item in Item.objects.filter(personal_findings__in=chosen).distinct()}
    _refuse_in_use(items)
    by_text: dict[tuple[int, str], set[int]] = defaultdict(set)
    for pk, item_pk, part in chosen.values_list("pk", "item_id", "part"):
        by_text[item_pk, part].add(pk)
    for (item_pk, part), pks in by_text.items():
        _replace(items[item_pk], part, pks, actor, now)
    Item.objects.bulk_update(items.values(), TextPart.values, batch_size=SCANNED_AT_ONCE)
    n = sum(map(len, by_text.values()))
    return _told(study, n, f"Replaced personal data in {_places(n)}", actor, now)


def _replace(item: Item, part: str, chosen: set[int], actor: User, now: datetime) -> None:
    """From left to right, so that every later place of the same text moves along."""
    text: str = getattr(item, part)
    shift = 0
    for found in item.personal_findings.filter(part=part).order_by("start"):
        found.start, found.end = found.start + shift, found.end + shift
        if found.pk in chosen:
            word = PersonalKind(found.kind).placeholder
            shift += len(word) - (found.end - found.start)
            text = text[: found.start] + word + text[found.end :]
            found.end = found.start + len(word)
            found.state, found.decided_by, found.decided_at = FindingState.REPLACED, actor, now
        found.save()
    setattr(item, part, text)


@transaction.atomic
def restore_texts(*, sample: Sample, actor: User, now: datetime) -> int:
    """Every replaced text of the sample as the corpus has it; their places are open again. Raises TextsInUse."""
    study = sample.study
    one_opening_at_a_time(study)
    replaced = findings_in(sample).filter(state=FindingState.REPLACED)
    items = list(Item.objects.filter(personal_findings__in=replaced).distinct())
    _refuse_in_use({item.pk: item for item in items})
    texts = texts_of(sample.corpus.store, items)
    for item in items:
        post = texts.posts[item.community, item.post_id]
        item.title, item.post_text = post.title, post.text
        if item.reply_id is not None:
            item.reply_text = texts.replies[item.community, item.reply_id]
    Item.objects.bulk_update(items, TextPart.values, batch_size=SCANNED_AT_ONCE)
    Finding.objects.filter(item__in=items).delete()
    _scan(items, ())
    n = len(items)
    summary = f"Took the replacements of personal data back in {n:,} item{'' if n == 1 else 's'}"
    return _told(study, n, summary, actor, now)


def is_in_use(item: str) -> Q:
    """Where `item` names the item: somebody marks words of its texts, so the database refuses a change too."""
    return Q(Exists(AssignedItem.objects.filter(item=OuterRef(item)))) | Q(
        Exists(GoldAnswer.objects.filter(item=OuterRef(item)))
    )


def _refuse_in_use(items: Iterable[int]) -> None:
    in_use = Item.objects.filter(is_in_use("pk"), pk__in=list(items)).count()
    if in_use:
        raise TextsInUse(in_use)


def _told(study: Study, n: int, summary: str, actor: User, now: datetime) -> int:
    if not n:
        raise NothingChosen
    record_event(study=study, actor=actor, summary=f"{summary}.", now=now)
    return n


def _places(n: int) -> str:
    return "1 place" if n == 1 else f"{n:,} places"
