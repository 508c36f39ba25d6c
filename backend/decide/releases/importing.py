"""Brings a release in from elsewhere: verified, copied, and registered with its edition and its items."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from django.db import transaction

from annotation.release.files import CODEBOOK
from annotation.release.read import ReadRelease, copy_release, read_release
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.decide.releases.assembling import next_number
from backend.decide.releases.errors import NameTaken, OtherCodebook
from backend.decide.releases.imported_items import store_items
from backend.decide.releases.models import Release
from backend.decide.releases.services import register
from backend.decide.releases.storage import making_folder
from backend.design.codebooks.models import Edition
from backend.design.codebooks.services import add_edition
from codebook.editions import canonical_json


def import_release(*, study: Study, folder: Path, actor: User, now: datetime) -> Release:
    """The same labels and the same hash as where it was frozen. The same release again changes nothing.

    Raises ReleaseBroken if the folder is not as it was frozen.
    """
    with making_folder(study) as own:
        copy_release(folder, own)
        # The copy is verified, and not what it was copied from, which may change meanwhile.
        read = read_release(own)
        earlier = study.releases.filter(hash=read.manifest.hash).first()
        if earlier:
            return earlier
        if study.releases.filter(name=read.manifest.name).exists():
            raise NameTaken(read.manifest.name)
        with transaction.atomic():
            edition = _edition(study, read, actor, now)
            store_items(study, (row.item for row in read.rows))
            return register(
                study=study,
                edition=edition,
                manifest=read.manifest,
                folder=own,
                number=next_number(study),
                note=f"Imported; release {read.manifest.number} of “{read.manifest.study.name}”",
                is_imported=True,
                actor=actor,
                now=now,
                writing=transaction.atomic,
            )


def _edition(study: Study, read: ReadRelease, actor: User, now: datetime) -> Edition:
    """A study's codebook in force is not changed by an import: only an empty one takes the release's."""
    same = study.editions.filter(hash=read.manifest.edition.hash).first()
    if same:
        return same
    if study.editions.exists():
        raise OtherCodebook(read.codebook.name)
    note = f"Came with the release “{read.manifest.name}” of “{read.manifest.study.name}”"
    source = canonical_json(read.codebook)
    return add_edition(study=study, source=source, file_name=CODEBOOK, note=note, actor=actor, now=now)
