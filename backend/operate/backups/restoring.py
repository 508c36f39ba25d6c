"""Puts an instance back to what a backup holds: checked before, whole or repeatable, checked afterwards."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connections

from annotation.release.write_protection import remove_folder
from backend.operate.backups.admission import (
    refuse_newer,
    refuse_non_empty,
    refuse_other_database,
    refuse_secrets,
    sole_process,
)
from backend.operate.backups.copying import Progress, Report, copy_file, copy_folder, folder_size
from backend.operate.backups.databases import Database, label_studio_database, own_database
from backend.operate.backups.errors import BackupDamaged, OutcomeUnknown
from backend.operate.backups.inventory import problems_with, take_inventory
from backend.operate.backups.manifest import (
    SECRETS,
    BackupManifest,
    DatabaseEntry,
    file_problems,
    read_manifest,
)
from backend.operate.backups.places import full_disk_named, refuse_full_disk
from backend.operate.backups.sources import kept_folders, passing_folders
from backend.operate.instance.half_restored import is_half_restored, leave_sign, remove_sign

STAGING = ".restoring"
Loadable = tuple[Database, DatabaseEntry]


@dataclass(frozen=True)
class RestoreWishes:
    replace: bool = False
    with_secrets: bool = False
    accept_other_key: bool = False


@dataclass(frozen=True)
class Restored:
    """`problems` were not in the instance when it was backed up; there should be none."""

    manifest: BackupManifest
    problems: list[str]


def check_backup(*, backup: Path, report: Report) -> BackupManifest:
    """Whether it is what was made, and can be read by this version; nothing here is looked at or changed."""
    manifest = read_manifest(backup)
    refuse_newer(manifest)
    report("Checking the backup")
    problems = file_problems(backup, manifest, report)
    if problems:
        raise BackupDamaged(backup, problems)
    return manifest


def refuse_here(manifest: BackupManifest, wishes: RestoreWishes) -> None:
    """What would refuse it on this instance even if that were stopped and empty; nothing is changed."""
    refuse_secrets(manifest, with_secrets=wishes.with_secrets, accept_other_key=wishes.accept_other_key)
    for database, entry in _databases(manifest):
        refuse_other_database(database, entry)
    # What a restore left that was killed goes first
    refuse_full_disk(Path(settings.DATA_DIR), manifest.size, freed=folder_size(_make_staging()))


def restore(*, backup: Path, wishes: RestoreWishes, report: Report) -> Restored:
    manifest = check_backup(backup=backup, report=report)
    with sole_process():
        refuse_here(manifest, wishes)
        databases = _databases(manifest)
        for database, _ in databases:
            database.refuse_if_in_use()
        if not wishes.replace:
            refuse_non_empty()
        # An open connection would go on with the database of before
        connections.close_all()
        _begin(backup, manifest, databases[0], report)
        _go_on(backup, databases[1:], wishes, report)
        found = _check(manifest, databases, report)
        remove_sign()
        return Restored(manifest, found)


def _databases(manifest: BackupManifest) -> list[Loadable]:
    found: list[Loadable] = [(own_database(), manifest.database)]
    if manifest.label_studio is not None:
        found.append((label_studio_database(), manifest.label_studio))
    return found


def _make_staging() -> Path:
    return Path(settings.DATA_DIR) / STAGING


def _begin(backup: Path, manifest: BackupManifest, own: Loadable, report: Report) -> None:
    """Up to the first database, which is exchanged whole or not at all. Whatever fails until then leaves the instance
    as it was, so nothing is left that would keep it from starting."""
    was_half_restored = is_half_restored()
    try:
        with full_disk_named(Path(settings.DATA_DIR), manifest.size):
            _copy_files(backup, manifest, report)
            leave_sign(backup.resolve())
            _load(backup, own, report)
    except OutcomeUnknown:
        raise
    except Exception:
        if not was_half_restored:
            remove_sign()
        remove_folder(_make_staging())
        raise


def _copy_files(backup: Path, manifest: BackupManifest, report: Report) -> None:
    """Beside the old ones, so that the exchange itself takes no time."""
    staging = _make_staging()
    remove_folder(staging)
    staging.mkdir(mode=0o700)
    progress = Progress(report, "Copied", manifest.size)
    for name in kept_folders():
        copy_folder(backup / name, staging / name, heard=progress.add)


def _load(backup: Path, loadable: Loadable, report: Report) -> None:
    database, entry = loadable
    report(f"Restoring {database.name}")
    database.load(backup / entry.file)


def _go_on(backup: Path, others: list[Loadable], wishes: RestoreWishes, report: Report) -> None:
    for loadable in others:
        _load(backup, loadable, report)
    report("Exchanging the files")
    staging = _make_staging()
    for name, folder in kept_folders().items():
        _exchange(folder, staging / name, staging / f"old-{name}")
    for folder in passing_folders():
        remove_folder(folder)
    if wishes.with_secrets:
        _bring_secrets_back(backup)
    remove_folder(staging)


def _exchange(folder: Path, new: Path, old: Path) -> None:
    if folder.exists():
        folder.rename(old)
    new.rename(folder)


def _bring_secrets_back(backup: Path) -> None:
    draft = settings.SECRETS_FILE.with_name(f"{settings.SECRETS_FILE.name}.restoring")
    copy_file(backup / SECRETS, draft, heard=lambda n_bytes: None)
    draft.chmod(0o600)
    os.replace(draft, settings.SECRETS_FILE)


def _check(manifest: BackupManifest, databases: list[Loadable], report: Report) -> list[str]:
    """Rows are counted before an older database is brought up to date."""
    report("Checking what was restored")
    problems = []
    for database, entry in databases:
        rows = database.rows()
        wrong = sorted(name for name in {*rows, *entry.rows} if rows.get(name) != entry.rows.get(name))
        problems += [f"{database.name}: {name} has other rows than the backup" for name in wrong]
    call_command("migrate", interactive=False, verbosity=0)
    problems += problems_with(take_inventory(), kept_folders())
    return [problem for problem in problems if problem not in manifest.damaged]
