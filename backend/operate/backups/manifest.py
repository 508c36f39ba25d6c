"""The manifest of a backup: what it holds, of which instance, and the hash of every file and of itself."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path, PurePosixPath
from typing import Literal

import msgspec

from annotation.release.manifest import FileEntry, file_entry, file_names
from backend.operate.backups.copying import Progress, Report
from backend.operate.backups.errors import NoBackup

MANIFEST = "manifest.json"
SECRETS = "secrets.json"
Engine = Literal["sqlite", "postgresql"]


class DatabaseEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`version` is the server's; `rows` counts what was in each table at the moment that was copied."""

    file: str
    engine: Engine
    version: int
    rows: dict[str, int]


class BackupManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`key_mark` tells whether two instances have the same pseudonym key without telling the key; `damaged` names what
    was not as it should be in the instance itself, before it was copied."""

    made_at: str
    migrations: tuple[str, ...]
    key_mark: str
    has_secrets: bool
    database: DatabaseEntry
    label_studio: DatabaseEntry | None
    damaged: tuple[str, ...]
    files: tuple[FileEntry, ...]
    hash: str = ""
    format: Literal["attune-backup"] = "attune-backup"
    version: Literal[1] = 1

    @property
    def size(self) -> int:
        return sum(entry.size for entry in self.files)


def key_mark(pseudonym_key: str) -> str:
    return hmac.new(pseudonym_key.encode(), b"attune backup", hashlib.sha256).hexdigest()[:16]


def manifest_bytes(manifest: BackupManifest) -> bytes:
    """With the hash of all the rest filled in."""
    whole = msgspec.structs.replace(manifest, hash=_hash(manifest))
    return msgspec.json.format(msgspec.json.encode(whole, order="deterministic"), indent=1) + b"\n"


def read_manifest(backup: Path) -> BackupManifest:
    try:
        manifest = msgspec.json.decode((backup / MANIFEST).read_bytes(), type=BackupManifest)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NoBackup(backup, f"it has no {MANIFEST}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NoBackup(backup, f"this version of Attune cannot read its {MANIFEST} ({error})") from error
    if _hash(manifest) != manifest.hash:
        raise NoBackup(backup, f"its {MANIFEST} was changed or damaged")
    return manifest


def _hash(manifest: BackupManifest) -> str:
    body = msgspec.to_builtins(manifest)
    del body["hash"]
    return hashlib.sha256(msgspec.json.encode(body, order="deterministic")).hexdigest()


def file_problems(backup: Path, manifest: BackupManifest, report: Report = lambda line: None) -> list[str]:
    there = set(file_names(backup)) - {MANIFEST}
    named = {entry.path for entry in manifest.files}
    problems = [f"{name}: the manifest does not know it" for name in sorted(there - named)]
    progress = Progress(report, "Checked", manifest.size)
    for entry in manifest.files:
        if entry.path not in there or ".." in PurePosixPath(entry.path).parts:
            problems.append(f"{entry.path}: it is not there")
        elif (backup / entry.path).is_symlink() or file_entry(backup, entry.path) != entry:
            problems.append(f"{entry.path}: its content is not what was backed up")
        progress.add(entry.size)
    return problems
