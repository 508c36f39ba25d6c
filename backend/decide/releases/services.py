"""What freezes a release: the folder and its row appear together, or neither does."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

import msgspec
from django.db import transaction

from annotation.release.files import move_into_place, write_files
from annotation.release.manifest import Counts, Manifest, Request
from annotation.release.write_protection import seal
from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.services import enqueue_job
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.decide.releases.assembling import assemble, next_number
from backend.decide.releases.errors import NameTaken, NothingToRelease
from backend.decide.releases.models import Release
from backend.decide.releases.requests import FreezeJob, FreezeRequest
from backend.decide.releases.storage import clear_orphan, making_folder
from backend.design.codebooks.models import Edition

Writing = Callable[[], AbstractContextManager[None]]


def refuse_taken_name(study: Study, request: FreezeRequest) -> None:
    """The same request again is no second release."""
    if study.releases.filter(name=request.name).exists() and frozen_before(study, request) is None:
        raise NameTaken(request.name)


def frozen_before(study: Study, request: FreezeRequest) -> Release | None:
    """The release that this very request made, if it did: a job may run twice."""
    asked = _as_json(request.as_stored(study))
    found = study.releases.filter(
        name=request.name, note=request.note, edition=request.edition_in(study), is_imported=False
    ).first()
    return found if found and found.request == asked else None


def freeze_release(
    *,
    study: Study,
    request: FreezeRequest,
    actor: User,
    now: datetime,
    report: Callable[[str], None] = lambda step: None,
    writing: Writing = transaction.atomic,
) -> Release:
    """Frozen once: the same request again gives back the release that is there.

    `report` hears what is being done; the row is written in the transaction that `writing` opens.
    """
    with making_folder(study) as folder:
        earlier = frozen_before(study, request)
        if earlier:
            return earlier
        refuse_taken_name(study, request)
        report("Reading judgments")
        content = assemble(study, request, number=next_number(study), now=now)
        if not content.rows:
            raise NothingToRelease
        manifest = write_files(folder, content, lambda name: report(f"Writing {name}"))
        report("Putting it into place")
        edition = request.edition_in(study)
        return register(
            study=study,
            edition=edition,
            manifest=manifest,
            folder=folder,
            number=content.number,
            note=request.note,
            is_imported=False,
            actor=actor,
            now=now,
            writing=writing,
        )


def register(
    *,
    study: Study,
    edition: Edition,
    manifest: Manifest,
    folder: Path,
    number: int,
    note: str,
    is_imported: bool,
    actor: User,
    now: datetime,
    writing: Writing,
) -> Release:
    """Callers are the study's only writer. A kill after the rename leaves a folder without a row, which the next
    writer clears away or puts aside."""
    with writing():
        release = Release.objects.create(
            study=study,
            number=number,
            name=manifest.name,
            edition=edition,
            hash=manifest.hash,
            request=_as_json(manifest.request),
            counts=_as_json(manifest.counts),
            note=note,
            is_imported=is_imported,
            created_by=actor,
            created_at=now,
        )
        verb = "Imported" if is_imported else "Froze"
        summary = f"{verb} release {number}, “{release.name}”, with {manifest.counts.items:,} items"
        record_event(study=study, actor=actor, summary=summary, now=now)
        clear_orphan(release.folder, wanted_hash=release.hash)
        seal(folder)
        move_into_place(folder, release.folder)
    return release


def _as_json(value: Request | Counts) -> object:
    """As a database gives it back, which knows no tuples."""
    return msgspec.json.decode(msgspec.json.encode(value))


FREEZE_RELEASE = "freeze_release"


def enqueue_freezing(*, study: Study, request: FreezeRequest, actor: User, now: datetime) -> Job:
    """What can be refused at once is refused at once."""
    # The number of today's edition: one that is added before the worker comes changes nothing.
    asked = request.model_copy(update={"edition": request.edition_in(study).number})
    refuse_taken_name(study, asked)
    job = FreezeJob(study=study.pk, actor=actor.pk, request=asked)
    return enqueue_job(
        kind=FREEZE_RELEASE, arguments=job.model_dump(mode="json"), study=study, created_by=actor, now=now
    )
