"""Takes an adapter that the ML backend left in a task's folder into the registry: folder and row together."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

from django.db import transaction

from annotation.release.files import move_into_place
from annotation.release.write_protection import remove_folder
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.decide.releases.models import Release
from backend.learn.models.errors import FilesMissing, OtherParent, OtherRelease
from backend.learn.models.models import Adapter, adapters_folder
from backend.learn.models.selectors import next_number
from learning.adapters.card import Card, card_bytes
from learning.adapters.folder import checked_card
from learning.learners.registry import title_of
from learning.predictions.files import measured_folder
from learning.tasks.folder import TaskFolder

Writing = Callable[[], AbstractContextManager[None]]


def register_adapter(
    *,
    study: Study,
    release: Release,
    folder: TaskFolder,
    adapter_id: str,
    name: str,
    parent: Adapter | None,
    actor: User | None,
    now: datetime,
    writing: Writing = transaction.atomic,
) -> Adapter:
    """The same adapter again is the one that is there: a job may run twice, and the same training asked for twice gives
    the same adapter. A kill in between leaves a whole folder without a row, which the next attempt finds."""
    place = adapters_folder(study) / adapter_id
    with writing():
        Study.objects.select_for_update().get(pk=study.pk)
        known = study.adapters.filter(adapter_id=adapter_id).first()
        if known is not None:
            return known
        card = _taken_over(folder, place)
        if card.id != adapter_id or card.release.hash != release.hash:
            raise OtherRelease
        if card.parent != (parent.adapter_id if parent else None):
            raise OtherParent
        adapter = Adapter.objects.create(
            study=study,
            number=next_number(study),
            adapter_id=adapter_id,
            name=name or f"{title_of(card.learner)} on {release.name}"[:120],
            learner=card.learner,
            release=release,
            edition=release.edition,
            parent=parent,
            card=card_bytes(card).decode(),
            created_by=actor,
            created_at=now,
        )
        summary = f"Trained adapter {adapter.number}, “{adapter.name}”, on release {release.number}"
        record_event(study=study, actor=actor, summary=summary, now=now)
    return adapter


def _taken_over(folder: TaskFolder, place: Path) -> Card:
    """Every file is held against its hash before anything is believed; pickles are refused."""
    if folder.adapter.exists():
        card = checked_card(folder.adapter)
        _move(folder.measured, measured_folder(place))
        _move(folder.adapter, place)
        return card
    if not place.exists():
        raise FilesMissing(place.name)
    return checked_card(place)


def _move(source: Path, target: Path) -> None:
    if not source.exists():
        return
    if target.exists():
        remove_folder(target)
    move_into_place(source, target)
