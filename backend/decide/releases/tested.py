"""Which posts some release holds in its test part: what is decided about them measures models."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from annotation.release.read import release_rows
from annotation.release.rows import SplitPart
from annotation.release.split import Post
from backend.core.studies.models import Study


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
