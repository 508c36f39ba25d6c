"""What pages, calls and commands read about releases; labels come from the folder, for own and imported ones alike."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
from django.http import Http404

from annotation.release.card_blocks import Block, from_markdown
from annotation.release.files import CARD, CODEBOOK, ITEMS
from annotation.release.read import ReadRelease, ReleaseBroken, read_codebook, read_release, release_rows
from annotation.release.rows import ReleaseRow, SplitPart
from annotation.release.split import Post
from annotation.release.verify import verify_release
from backend.annotate.batches.blindness import hidden_keys, refuse_hidden
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.decide.releases.errors import FolderMissing, NotAsFrozen
from backend.decide.releases.models import Release
from codebook.problems import CodebookError
from codebook.schema import Codebook


def release_numbered(study: Study, number: int) -> Release:
    found = study.releases.select_related("edition", "created_by", "study").filter(number=number).first()
    if found is None:
        raise Http404(f"This study has no release {number}.")
    return found


def read_frozen(release: Release) -> ReadRelease:
    """The final labels; refuses a folder that is not what was frozen under this number."""
    try:
        return read_release(release.folder, expected_hash=release.hash)
    except ReleaseBroken as error:
        raise NotAsFrozen(release, [str(problem) for problem in error.problems]) from error


def problems_of(release: Release) -> list[str]:
    """Empty if the files are those that were frozen here: the row keeps the hash, so a forged manifest is found too."""
    return [str(problem) for problem in verify_release(release.folder, expected_hash=release.hash)]


def release_at(folder: Path) -> Release | None:
    """The release that is kept in this very folder, however the folder is written."""
    place = folder.resolve()
    releases = Release.objects.select_related("study")
    if not (place.name.isascii() and place.name.isdigit()):
        return None
    found = releases.filter(number=int(place.name))
    return next((release for release in found if release.folder.resolve() == place), None)


def refuse_hidden_labels(release: Release, viewer: User) -> None:
    """A release is handed out as a whole. Raises StillToJudge."""
    if hidden_keys(viewer, release.study):
        refuse_hidden(viewer, release.study, (row.item.item_id for row in rows_of(release)))


def row_of(release: Release, item_id: str) -> ReleaseRow:
    found = next((row for row in rows_of(release) if row.item.item_id == item_id), None)
    if found is None:
        raise Http404(f"Release {release.number} does not hold this item.")
    return found


def rows_of(release: Release, viewer: User | None = None) -> Iterator[ReleaseRow]:
    """Row by row, without verifying: pages look a few of many up; those whose labels the viewer may read."""
    hidden = hidden_keys(viewer, release.study)
    try:
        yield from (row for row in release_rows(release.folder) if row.item.item_id not in hidden)
    except FileNotFoundError as error:
        raise FolderMissing(release.folder) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotAsFrozen(release, [f"{ITEMS}: it cannot be read"]) from error


def codebook_in(release: Release) -> Codebook:
    """The edition as it was frozen, without verifying."""
    try:
        return read_codebook(release.folder)
    except FileNotFoundError as error:
        raise FolderMissing(release.folder) from error
    except (CodebookError, UnicodeDecodeError) as error:
        raise NotAsFrozen(release, [f"{CODEBOOK}: it cannot be read"]) from error


def card_of(release: Release) -> tuple[Block, ...]:
    """The data card as it was frozen; empty if the folder is gone."""
    try:
        return from_markdown((release.folder / CARD).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return ()


def tested_posts(study: Study) -> frozenset[Post]:
    """Of all its releases; a post that tested one model stays in the test part of the next release. A folder that
    cannot be read measures nothing."""
    found: frozenset[Post] = frozenset()
    for release in study.releases.all():
        try:
            found |= _in_test_part(release.folder, release.hash)
        except (OSError, UnicodeDecodeError, msgspec.DecodeError):
            continue
    return found


@cache
def _in_test_part(folder: Path, manifest_hash: str) -> frozenset[Post]:
    """Read once, for what is frozen under a hash never changes."""
    return frozenset(row.item.post for row in release_rows(folder) if row.split is SplitPart.TEST)
