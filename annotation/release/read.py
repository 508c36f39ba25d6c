"""Reads a release back, typed, or copies its folder; one that does not verify is refused."""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from annotation.release.content_checks import ProblemKind, ReleaseProblem
from annotation.release.files import CODEBOOK, ITEMS
from annotation.release.manifest import MANIFEST, Manifest, parse_manifest
from annotation.release.rows import ReleaseRow
from annotation.release.verify import glance_at, verify_release
from codebook.editions import codebook_from_canonical
from codebook.schema import Codebook


class ReleaseBroken(ValueError):
    """A folder that is not, or no longer, what was frozen."""

    def __init__(self, folder: Path, problems: Sequence[ReleaseProblem]) -> None:
        self.problems = tuple(problems)
        listed = "; ".join(str(problem) for problem in problems)
        super().__init__(f"{folder} is not as it was frozen: {listed}. Fetch an intact copy.")


class ReleaseMissing(ReleaseBroken):
    """A path that leads to no release at all."""

    def __init__(self, folder: Path, problems: Sequence[ReleaseProblem]) -> None:
        self.problems = tuple(problems)
        wrong = f"it has no {MANIFEST}" if folder.is_dir() else "there is no such folder"
        ValueError.__init__(self, f"{folder} is no release: {wrong}. Check the path.")


def release_refusal(folder: Path, problems: Sequence[ReleaseProblem]) -> ReleaseBroken:
    is_missing = problems[0].kind is ProblemKind.NO_MANIFEST
    return (ReleaseMissing if is_missing else ReleaseBroken)(folder, problems)


@dataclass(frozen=True, slots=True)
class ReadRelease:
    manifest: Manifest
    codebook: Codebook
    rows: tuple[ReleaseRow, ...]


def read_release(folder: Path, *, expected_hash: str = "") -> ReadRelease:
    """With a hash, only if it is that very release."""
    problems = verify_release(folder, expected_hash=expected_hash)
    if problems:
        raise release_refusal(folder, problems)
    return ReadRelease(read_manifest(folder), read_codebook(folder), tuple(release_rows(folder)))


def read_manifest(folder: Path) -> Manifest:
    """Without verifying anything else."""
    return parse_manifest((folder / MANIFEST).read_bytes())


def find_manifest(folder: Path) -> Manifest | None:
    """None if there is none that can be read."""
    try:
        return read_manifest(folder)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def read_codebook(folder: Path) -> Codebook:
    return codebook_from_canonical((folder / CODEBOOK).read_text(encoding="utf-8"))


def release_rows(folder: Path) -> Iterator[ReleaseRow]:
    """Row by row, without verifying: for one who looks a few of many up."""
    decoder = msgspec.json.Decoder(ReleaseRow)
    with (folder / ITEMS).open("rb") as lines:
        for line in lines:
            yield decoder.decode(line)


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
