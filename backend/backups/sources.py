"""What an instance consists of: the folders that a backup takes along, and those that can be made again."""

from __future__ import annotations

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
# Messages, orders under way and what is being uploaded: jobs begin them anew. After a restore those of before are in
# the way, because numbers of jobs are given out again.
PASSING = ("BROKER_DIR", "ML_DIR")
# Imports under way are begun again from their files
STAGING = "staging"


def kept_folders() -> dict[str, Path]:
    return {name: Path(getattr(settings, setting)) for name, setting in KEPT.items()}


def passing_folders() -> list[Path]:
    return [Path(getattr(settings, setting)) for setting in PASSING]


def is_passing(relative: Path) -> bool:
    """Locks, drafts and what is being made have a dot before their name or `.new` behind it.

    >>> is_passing(Path(".lock")), is_passing(Path("1-kind-words/.making-x1/items.csv"))
    (True, True)
    >>> is_passing(Path("1-kind-words/1/items.csv"))
    False
    """
    return any(part.startswith(".") for part in relative.parts) or relative.suffix == ".new"
