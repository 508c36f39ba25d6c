"""The manifest of a release: what it is, what went into it, and the hash of every file and of itself."""

import hashlib
import os
from pathlib import Path
from typing import Literal

import msgspec

MANIFEST = "manifest.json"
FORMAT: Literal["attune-release"] = "attune-release"
VERSION: Literal[1] = 1
CHUNK = 1 << 20


class FileEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    path: str
    size: int
    sha256: str


class StudyEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    slug: str
    name: str


class EditionEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`newest` is the number of the newest edition when the release was made: a higher one means an older codebook."""

    number: int
    newest: int
    hash: str

    @property
    def is_older(self) -> bool:
        return self.number < self.newest


class Counts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the files hold, counted once when they were written."""

    items: int
    posts: int
    labels: int
    by_split: dict[str, int]
    by_source: dict[str, int]
    superseded: int
    annotators: int
    adjudicators: int
    left_out: dict[str, int]


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was asked for at freezing; `consensus` is none where disputed items were left out, `split_like` the hash
    of an earlier release whose posts stayed in their parts, or empty. Older releases gave ties to the more frequent
    answer. `soft_labels` is there where each annotator's labels and their shares were asked for."""

    texts: bool
    consensus: Literal["majority", "dawid-skene", "mace", "none"]
    spans: Literal["union", "intersection", "majority"]
    superseded: Literal["keep", "leave-out", "weight"]
    superseded_weight: float
    singles: bool
    ratio: tuple[int, int, int]
    seed: int
    split_like: str
    licence: str
    ties: Literal["seed", "none", "frequent"] = "frequent"
    soft_labels: Literal[True] | msgspec.UnsetType = msgspec.UNSET


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`notes` has by code what the method of consensus says of itself, where it had to settle anything."""

    name: str
    number: int
    study: StudyEntry
    edition: EditionEntry
    request: Request
    counts: Counts
    notes: dict[str, str]
    made_at: str
    files: list[FileEntry]
    hash: str
    format: Literal["attune-release"] = FORMAT
    version: Literal[1] = VERSION


def add_hash(manifest: Manifest) -> Manifest:
    """With the hash of all the rest: sha256 over its JSON with sorted keys and without spaces."""
    return msgspec.structs.replace(manifest, hash=manifest_hash(manifest))


def manifest_hash(manifest: Manifest) -> str:
    body = msgspec.to_builtins(manifest)
    del body["hash"]
    return hashlib.sha256(msgspec.json.encode(body, order="deterministic")).hexdigest()


def manifest_bytes(manifest: Manifest) -> bytes:
    return msgspec.json.format(msgspec.json.encode(manifest, order="deterministic"), indent=2) + b"\n"


def parse_manifest(raw: bytes) -> Manifest:
    """Raises msgspec.DecodeError, of which a ValidationError is one, if it is no manifest of this format."""
    return msgspec.json.decode(raw, type=Manifest)


def file_entries(folder: Path) -> list[FileEntry]:
    """Every file but the manifest, by name."""
    return [file_entry(folder, name) for name in file_names(folder) if name != MANIFEST]


def file_entry(folder: Path, name: str) -> FileEntry:
    path = folder / name
    digest = hashlib.sha256()
    with path.open("rb") as handle:
        while chunk := handle.read(CHUNK):
            digest.update(chunk)
    return FileEntry(name, path.stat().st_size, digest.hexdigest())


def file_names(folder: Path) -> list[str]:
    """Of everything in the folder, links and whatever else is no plain file too; with forward slashes, sorted."""
    found = []
    for root, directories, files in os.walk(folder):
        links = [name for name in directories if (Path(root) / name).is_symlink()]
        found += [(Path(root) / name).relative_to(folder).as_posix() for name in (*files, *links)]
    return sorted(found)
