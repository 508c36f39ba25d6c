"""Copies the folder of a release from anywhere: what its manifest names, and nothing else."""

import shutil
from pathlib import Path

from annotation.release.manifest import MANIFEST
from annotation.release.read import read_manifest, release_refusal
from annotation.release.verify import glance_at


def copy_release(source: Path, target: Path) -> None:
    """Into an empty folder. What does not even look like a release is refused before anything is copied.

    Modes stay behind: a folder that may not be written to would make a copy that nobody can clear away.
    """
    problems = glance_at(source)
    if problems:
        raise release_refusal(source, problems)
    for name in (MANIFEST, *(entry.path for entry in read_manifest(source).files)):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, target / name, follow_symlinks=False)
