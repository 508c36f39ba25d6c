"""A researcher holds a label for wrong: the item joins the queue as a suspect, once, until they take that back."""

from __future__ import annotations

import hashlib
from datetime import datetime
from enum import StrEnum

from backend.core.accounts.models import User
from backend.decide.adjudication.annotator_answers import taking_part
from backend.decide.adjudication.models import Suspicion, SuspicionKind
from backend.decide.adjudication.needs import LONG_AGO
from backend.decide.adjudication.selectors import current_decision_for
from backend.design.samples.models import Item


class Asked(StrEnum):
    """What became of the wish to have a label looked at again."""

    IN_QUEUE = "in-queue"
    DISMISSED_BEFORE = "dismissed-before"
    NOT_JUDGED_HERE = "not-judged-here"

    @property
    def in_words(self) -> str:
        return _IN_WORDS[self]


_IN_WORDS = {
    Asked.IN_QUEUE: "The item is in the queue of adjudication, with the reason.",
    Asked.DISMISSED_BEFORE: "A researcher has dismissed this doubt before, so that the item is not in the queue again: "
    "open it at the workspace to decide it anyway.",
    Asked.NOT_JUDGED_HERE: "Nobody has judged this item in a batch of this study, so that there is nothing to "
    "adjudicate: have the label mended where it came from.",
}


def ask_for_another_look(
    *, item: Item, code: str, label: int, model_says: int, model: str, actor: User, now: datetime
) -> Asked:
    """One suspicion for each code of an item, whoever asks and however often. One that was decided or withdrawn comes
    back; one that was dismissed does not."""
    detail = {"label": label, "model_says": model_says, "model": model, "by": actor.username}
    found, is_new = Suspicion.objects.get_or_create(
        item=item,
        kind=SuspicionKind.MODEL_ERROR,
        code=code,
        detail_hash=_hash(label),
        defaults={"detail": detail, "found_at": now},
    )
    if found.dismissed_at is not None:
        return Asked.DISMISSED_BEFORE
    if not is_new and (found.gone_at is not None or _is_decided(found)):
        found.detail, found.found_at, found.gone_at = detail, now, None
        found.save(update_fields=["detail", "found_at", "gone_at"])
    is_judged = taking_part(item.study).filter(assigned_item__item=item).exists()
    return Asked.IN_QUEUE if is_judged else Asked.NOT_JUDGED_HERE


def withdraw_the_ask(*, item: Item, code: str, now: datetime) -> bool:
    """Whether there was one; what a researcher has decided since stays as it is."""
    asked = Suspicion.objects.filter(
        item=item, kind=SuspicionKind.MODEL_ERROR, code=code, gone_at=None, dismissed_at=None
    )
    waiting = [row.pk for row in asked if not _is_decided(row)]
    return bool(Suspicion.objects.filter(pk__in=waiting).update(gone_at=now))


def _is_decided(suspicion: Suspicion) -> bool:
    latest = current_decision_for(suspicion.item).latest
    return (latest.knew_until if latest else LONG_AGO) >= suspicion.found_at


def _hash(label: int) -> str:
    return hashlib.sha256(f"model-error {label}".encode()).hexdigest()
