"""Holds a release against its own hashes and counts; whatever differs is named."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath

import msgspec

from annotation.release.counting import counts_of
from annotation.release.files import CODEBOOK, ITEMS
from annotation.release.manifest import (
    MANIFEST,
    FileEntry,
    Manifest,
    file_entry,
    file_names,
    manifest_hash,
    parse_manifest,
)
from annotation.release.rows import ReleaseRow
from codebook.editions import codebook_from_canonical, edition_hash
from codebook.problems import CodebookError


class ProblemKind(StrEnum):
    NO_MANIFEST = "no manifest"
    CHANGED_MANIFEST = "changed manifest"
    MISSING_FILE = "missing file"
    EXTRA_FILE = "extra file"
    CHANGED_FILE = "changed file"
    WRONG_CODEBOOK = "wrong codebook"
    WRONG_COUNTS = "wrong counts"


@dataclass(frozen=True, slots=True)
class ReleaseProblem:
    kind: ProblemKind
    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


def verify_release(folder: Path) -> list[ReleaseProblem]:
    """Empty if the folder is, byte for byte, what was frozen."""
    manifest = _manifest(folder)
    if isinstance(manifest, ReleaseProblem):
        return [manifest]
    problems = []
    if manifest_hash(manifest) != manifest.hash:
        wrong = "its content does not give its hash: it was changed after freezing"
        problems.append(ReleaseProblem(ProblemKind.CHANGED_MANIFEST, MANIFEST, wrong))
    problems += _files(folder, manifest)
    if not problems:
        problems += _content(folder, manifest)
    return problems


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


def _files(folder: Path, manifest: Manifest) -> list[ReleaseProblem]:
    there = set(file_names(folder)) - {MANIFEST}
    named = {entry.path for entry in manifest.files}
    problems = [
        ReleaseProblem(ProblemKind.EXTRA_FILE, name, "the manifest does not know it")
        for name in sorted(there - named)
    ]
    for entry in manifest.files:
        problem = _file(folder, entry, is_there=entry.path in there)
        if problem:
            problems.append(problem)
    return problems


def _file(folder: Path, entry: FileEntry, *, is_there: bool) -> ReleaseProblem | None:
    """What is not in the folder's own list is never opened, so no name can lead out of it."""
    inside = PurePosixPath(entry.path)
    if not is_there or inside.is_absolute() or ".." in inside.parts:
        return ReleaseProblem(ProblemKind.MISSING_FILE, entry.path, "it is not there")
    path = folder / entry.path
    if path.is_symlink() or not path.is_file():
        return ReleaseProblem(ProblemKind.CHANGED_FILE, entry.path, "it is no plain file")
    if file_entry(folder, entry.path) != entry:
        wrong = "its content is not what was frozen"
        return ReleaseProblem(ProblemKind.CHANGED_FILE, entry.path, wrong)
    return None


def _content(folder: Path, manifest: Manifest) -> list[ReleaseProblem]:
    problems = []
    try:
        codebook = codebook_from_canonical((folder / CODEBOOK).read_text(encoding="utf-8"))
        is_same = edition_hash(codebook) == manifest.edition.hash
    except (OSError, CodebookError):
        is_same = False
    if not is_same:
        wrong = "it is not the edition that the manifest names"
        problems.append(ReleaseProblem(ProblemKind.WRONG_CODEBOOK, CODEBOOK, wrong))
    try:
        rows = msgspec.json.Decoder(ReleaseRow).decode_lines((folder / ITEMS).read_bytes())
    except (OSError, msgspec.DecodeError) as error:
        wrong = f"it cannot be read as the items of a release ({error})"
        return [*problems, ReleaseProblem(ProblemKind.CHANGED_FILE, ITEMS, wrong)]
    if counts_of(rows, manifest.counts.left_out) != manifest.counts:
        wrong = "it holds other numbers of items or labels than the manifest says"
        problems.append(ReleaseProblem(ProblemKind.WRONG_COUNTS, ITEMS, wrong))
    return problems
