"""A release as one file, made while it is sent: no copy on disk, and the same bytes every time."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.release.manifest import MANIFEST
from annotation.release.read import read_manifest
from annotation.release.verify import glance_at
from backend.core.web.zips import zip_pieces
from backend.decide.releases.errors import FolderMissing, NotAsFrozen
from backend.decide.releases.models import Release


def zip_name(release: Release) -> str:
    return f"{release.study.slug}-release-{release.number}.zip"


def zipped(release: Release) -> Iterator[bytes]:
    """Refused before anything is sent if there is nothing to send, or if other files than the frozen ones lie there."""
    if not (release.folder / MANIFEST).is_file():
        raise FolderMissing(release.folder)
    problems = glance_at(release.folder, expected_hash=release.hash)
    if problems:
        raise NotAsFrozen(release, [str(problem) for problem in problems])
    names = sorted([MANIFEST, *(entry.path for entry in read_manifest(release.folder).files)])
    return zip_pieces(release.folder, names, f"{release.study.slug}-release-{release.number}")
