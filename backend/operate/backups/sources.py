"""What an instance consists of: the folders that a backup takes along, and those that can be made again."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

# By the name in a backup; each is named by a setting
KEPT = {
    "corpora": "CORPORA_DIR",
    "files": "FILES_DIR",
    "agreement": "AGREEMENT_DIR",
    "releases": "RELEASES_DIR",
    "adapters": "ADAPTERS_DIR",
    "labelled": "LABELLED_DIR",
    "reports": "REPORTS_DIR",
}
# Messages, tasks under way and what is being uploaded: jobs begin them anew. After a restore those of before are in
# the way, because numbers of jobs are given out again.
PASSING = ("BROKER_DIR", "DOCS_DIR", "ML_DIR")
# What replace_file calls a file while it writes it
_DRAFT = re.compile(r".+\.[0-9a-f]{32}\.new")


def kept_folders() -> dict[str, Path]:
    return {name: Path(getattr(settings, setting)) for name, setting in KEPT.items()}


def passing_folders() -> list[Path]:
    return [Path(getattr(settings, setting)) for setting in PASSING]


def is_passing(path: Path) -> bool:
    """Locks and what is being made have a dot before their name; a file that is being replaced has a draft. People
    may end the names of files and communities as they like.

    >>> is_passing(Path("files/.lock")), is_passing(Path(f"corpora/1-texts/corpus.json.{'0f' * 16}.new"))
    (True, True)
    >>> is_passing(Path("files/posts.new"))
    False
    """
    return path.name.startswith(".") or (_DRAFT.fullmatch(path.name) is not None and not path.is_dir())
