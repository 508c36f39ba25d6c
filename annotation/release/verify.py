"""Holds a release against its own hashes, counts and codebook; whatever differs is named."""

from collections.abc import Callable
from pathlib import Path, PurePosixPath

import msgspec

from annotation.release.content_checks import ProblemKind, ReleaseProblem, content_problems
from annotation.release.manifest import (
    MANIFEST,
    FileEntry,
    Manifest,
    file_entry,
    file_names,
    manifest_hash,
    parse_manifest,
)

IsSame = Callable[[Path, FileEntry], bool]


def verify_release(folder: Path, *, expected_hash: str = "") -> list[ReleaseProblem]:
    """Empty if the folder is, byte for byte, what was frozen; with a hash, if it is that very release."""
    manifest = _manifest(folder)
    if isinstance(manifest, ReleaseProblem):
        return [manifest]
    problems = [*_of_manifest(manifest, expected_hash), *_of_files(folder, manifest, _has_content)]
    return problems or content_problems(folder, manifest)


def glance_at(folder: Path, *, expected_hash: str = "") -> list[ReleaseProblem]:
    """What can be told without reading the files: the manifest, and their names, kinds and sizes."""
    manifest = _manifest(folder)
    if isinstance(manifest, ReleaseProblem):
        return [manifest]
    return [*_of_manifest(manifest, expected_hash), *_of_files(folder, manifest, _has_size)]


def _manifest(folder: Path) -> Manifest | ReleaseProblem:
    path = folder / MANIFEST
    if path.is_symlink() or not path.is_file():
        wrong = f"{folder} has none: this is no release, or a part of one"
        return ReleaseProblem(ProblemKind.NO_MANIFEST, MANIFEST, wrong)
    try:
        return parse_manifest(path.read_bytes())
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        wrong = f"it is no manifest of a release that this version of Attune reads ({error})"
        return ReleaseProblem(ProblemKind.CHANGED_MANIFEST, MANIFEST, wrong)


def _of_manifest(manifest: Manifest, expected_hash: str) -> list[ReleaseProblem]:
    if manifest_hash(manifest) != manifest.hash:
        wrong = "its content does not give its hash: it was changed after freezing"
        return [ReleaseProblem(ProblemKind.CHANGED_MANIFEST, MANIFEST, wrong)]
    if expected_hash and manifest.hash != expected_hash:
        wrong = f"it is another release: its hash is {manifest.hash}, and not {expected_hash}"
        return [ReleaseProblem(ProblemKind.OTHER_RELEASE, MANIFEST, wrong)]
    return []


def _of_files(folder: Path, manifest: Manifest, is_same: IsSame) -> list[ReleaseProblem]:
    there = set(file_names(folder)) - {MANIFEST}
    named = {entry.path for entry in manifest.files}
    problems = [
        ReleaseProblem(ProblemKind.EXTRA_FILE, name, "the manifest does not know it")
        for name in sorted(there - named)
    ]
    for entry in manifest.files:
        problem = _of_file(folder, entry, is_same, is_there=entry.path in there)
        if problem:
            problems.append(problem)
    return problems


def _of_file(folder: Path, entry: FileEntry, is_same: IsSame, *, is_there: bool) -> ReleaseProblem | None:
    """What is not in the folder's own list is never opened, so no name can lead out of it."""
    inside = PurePosixPath(entry.path)
    if not is_there or inside.is_absolute() or ".." in inside.parts:
        return ReleaseProblem(ProblemKind.MISSING_FILE, entry.path, "it is not there")
    path = folder / entry.path
    if path.is_symlink() or not path.is_file():
        return ReleaseProblem(ProblemKind.CHANGED_FILE, entry.path, "it is no plain file")
    if not is_same(folder, entry):
        wrong = "its content is not what was frozen"
        return ReleaseProblem(ProblemKind.CHANGED_FILE, entry.path, wrong)
    return None


def _has_size(folder: Path, entry: FileEntry) -> bool:
    return (folder / entry.path).stat().st_size == entry.size


def _has_content(folder: Path, entry: FileEntry) -> bool:
    return _has_size(folder, entry) and file_entry(folder, entry.path) == entry
