"""Where a study's releases lie, and who may write there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotation.exchange.documents import NoTexts
from annotation.exchange.registry import FORMATS, export_files, zip_files
from annotation.release.manifest import MANIFEST, manifest_hash
from annotation.release.read import ReleaseBroken, find_manifest, read_manifest
from annotation.release.verify import glance_at
from annotation.release.write_protection import build_folder, remove_folder
from backend.core.studies.models import Study
from backend.core.web.zips import zip_pieces
from backend.decide.releases.errors import (
    FolderMissing,
    NoDocuments,
    NotAsFrozen,
    ReleasesBusy,
    UnknownExchange,
)
from backend.decide.releases.models import Release, releases_folder
from corpus.atomic_files import FolderBusy

ASIDE = "aside-"


@contextmanager
def making_folder(study: Study) -> Iterator[Path]:
    """An empty folder beside the study's releases, for one writer at a time; what a kill left of earlier ones goes."""
    try:
        with build_folder(releases_folder(study)) as folder:
            yield folder
    except FolderBusy as error:
        raise ReleasesBusy from error


def clear_orphan(target: Path, *, wanted_hash: str) -> None:
    """Makes room for the release with the hash, where a folder lies that no row knows.

    It was renamed by a process that died before its row was there, or its row went with the restoring of an older
    database. What may be somebody's release is put aside under its own hash; the rest goes.
    """
    manifest = find_manifest(target)
    if manifest is None or manifest_hash(manifest) != manifest.hash or manifest.hash == wanted_hash:
        remove_folder(target)
        return
    aside = target.with_name(f"{ASIDE}{manifest.hash}")
    if aside.exists():
        remove_folder(target)
    else:
        target.rename(aside)


# A release as one file, made while it is sent: no copy on disk, and the same bytes every time.
def zip_name(release: Release) -> str:
    return f"{release.study.slug}-release-{release.number}.zip"


def exchange_name(release: Release, format_name: str) -> str:
    return f"{release.study.slug}-release-{release.number}-{format_name}.zip"


def zip_exchange(release: Release, format_name: str) -> bytes:
    """The release in a format of other tools. Raises UnknownExchange, NoDocuments and NotAsFrozen."""
    if format_name not in FORMATS:
        raise UnknownExchange(format_name)
    try:
        return zip_files(export_files(release.folder, format_name, expected_hash=release.hash))
    except NoTexts as problem:
        raise NoDocuments(str(problem)) from problem
    except ReleaseBroken as problem:
        raise NotAsFrozen(release, [str(each) for each in problem.problems]) from problem


def zip_release(release: Release) -> Iterator[bytes]:
    """Refused before anything is sent if there is nothing to send, or if other files than the frozen ones lie there."""
    if not (release.folder / MANIFEST).is_file():
        raise FolderMissing(release.folder)
    problems = glance_at(release.folder, expected_hash=release.hash)
    if problems:
        raise NotAsFrozen(release, [str(problem) for problem in problems])
    names = sorted([MANIFEST, *(entry.path for entry in read_manifest(release.folder).files)])
    return zip_pieces(release.folder, names, f"{release.study.slug}-release-{release.number}")
