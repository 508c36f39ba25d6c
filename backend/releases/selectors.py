"""What pages, calls and commands read about releases; labels come from the folder, for own and imported ones alike."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import Http404

from annotation.release.card_blocks import Block, from_markdown
from annotation.release.files import CARD
from annotation.release.read import ReadRelease, read_manifest, read_release, release_rows
from annotation.release.rows import ReleaseRow
from annotation.release.verify import verify_release
from backend.releases.errors import FolderMissing
from backend.releases.models import Release
from backend.studies.models import Study


def release_numbered(study: Study, number: int) -> Release:
    found = study.releases.select_related("edition", "created_by", "study").filter(number=number).first()
    if found is None:
        raise Http404(f"This study has no release {number}.")
    return found


def read_frozen(release: Release) -> ReadRelease:
    """The final labels; refuses a folder that is not what was frozen."""
    return read_release(release.folder)


def problems_of(release: Release) -> list[str]:
    """Empty if the files are those that were frozen here: the row keeps the hash, so a forged manifest is found too."""
    found = [str(problem) for problem in verify_release(release.folder)]
    if not found and read_manifest(release.folder).hash != release.hash:
        found.append(
            "manifest.json: it is a sound release, but not the one that was frozen under this number"
        )
    return found


def row_of(release: Release, item_id: str) -> ReleaseRow:
    found = next((row for row in rows_of(release) if row.item.item_id == item_id), None)
    if found is None:
        raise Http404(f"Release {release.number} does not hold this item.")
    return found


def rows_of(release: Release) -> Iterator[ReleaseRow]:
    """Row by row, without verifying: pages look a few of many up."""
    try:
        yield from release_rows(release.folder)
    except FileNotFoundError as error:
        raise FolderMissing(release.folder) from error


def card_of(release: Release) -> tuple[Block, ...]:
    """The data card as it was frozen; empty if the folder is gone."""
    try:
        return from_markdown((release.folder / CARD).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return ()
