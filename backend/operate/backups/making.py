"""Makes a backup of a running instance: databases first, files after them, all of it checked before it counts.

Folders appear by a rename before the row that names them, and never change. So what the copied rows name was there
when they were copied, and is still there when the files are. The other way round, rows would name what came later.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db.migrations.recorder import MigrationRecorder

from annotation.release.manifest import FileEntry, file_entry
from backend.operate.backups.copying import Progress, Report, copy_file, copy_folder, folder_size
from backend.operate.backups.corpora import copy_corpora
from backend.operate.backups.databases import Database, label_studio_database, own_database
from backend.operate.backups.errors import BackupDamaged, BadTarget, ChangedMeanwhile, SecretsElsewhere
from backend.operate.backups.inventory import problems_with, take_inventory
from backend.operate.backups.manifest import (
    MANIFEST,
    SECRETS,
    BackupManifest,
    DatabaseEntry,
    file_problems,
    key_mark,
    manifest_bytes,
    read_manifest,
)
from backend.operate.backups.places import backup_in_making, full_disk_named, put_into_place, refuse_full_disk
from backend.operate.backups.sources import kept_folders
from corpus.atomic_files import replace_file

LABEL_STUDIO = "label-studio"
# What a copy may be larger than its source, and what has to stay free besides
SPARE = 1.05
SPARE_BYTES = 64 * 1024**2


@dataclass(frozen=True)
class Wishes:
    with_secrets: bool = False
    with_label_studio: bool = True


@dataclass(frozen=True)
class MadeBackup:
    folder: Path
    manifest: BackupManifest


def back_up(*, target: Path, wishes: Wishes, now: datetime, report: Report) -> MadeBackup:
    """A folder in `target`, which then lists, hashes and proves everything that is in it."""
    if wishes.with_secrets and settings.PRODUCTION:
        raise SecretsElsewhere
    _refuse_bad_target(target)
    databases = {"": own_database()}
    if wishes.with_label_studio:
        databases[LABEL_STUDIO] = label_studio_database()
    needed = sum(database.size() for database in databases.values())
    needed += sum(folder_size(folder) for folder in kept_folders().values())
    with backup_in_making(target, now) as making:
        refuse_full_disk(target, int(needed * SPARE) + SPARE_BYTES)
        with full_disk_named(target, needed):
            manifest = _fill(making, databases, wishes, now, Progress(report, "Copied", needed), report)
        return MadeBackup(put_into_place(making), manifest)


def _fill(
    making: Path,
    databases: dict[str, Database],
    wishes: Wishes,
    now: datetime,
    progress: Progress,
    report: Report,
) -> BackupManifest:
    before = take_inventory()
    migrations = _migrations()
    entries: list[FileEntry] = []
    dumped: dict[str, DatabaseEntry] = {}
    # Ours before Label Studio's: answers that only the later copy has are read again, as after a pause. Were it older
    # than ours, it would give numbers out again that we have seen.
    for place, database in databases.items():
        report(f"Copying {database.name}")
        dumped[place] = _dump(database, making, place, report)
        entries.append(file_entry(making, dumped[place].file))
    for name, folder in kept_folders().items():
        report(f"Copying {name}")
        copy = copy_corpora if name == "corpora" else copy_folder
        entries += _below(name, copy(folder, making / name, heard=progress.add))
    if wishes.with_secrets:
        entries.append(copy_file(settings.SECRETS_FILE, making / SECRETS, heard=progress.add))
    if take_inventory().lost_since(before):
        raise ChangedMeanwhile("A study, a corpus or a release was deleted")
    report("Checking the copy")
    manifest = BackupManifest(
        made_at=now.isoformat(),
        migrations=migrations,
        key_mark=key_mark(settings.PSEUDONYM_KEY),
        has_secrets=wishes.with_secrets,
        database=dumped[""],
        label_studio=dumped.get(LABEL_STUDIO),
        damaged=tuple(problems_with(before, {name: making / name for name in kept_folders()})),
        files=tuple(sorted(entries, key=lambda entry: entry.path)),
    )
    replace_file(making / MANIFEST, manifest_bytes(manifest))
    problems = file_problems(making, read_manifest(making))
    if problems:
        raise BackupDamaged(making, problems)
    return manifest


def _dump(database: Database, making: Path, place: str, report: Report) -> DatabaseEntry:
    """Label Studio's goes into a folder of its own: both may have the same name."""
    folder = making / place
    folder.mkdir(mode=0o700, exist_ok=True)
    entry = database.dump(folder, report)
    return DatabaseEntry((Path(place) / entry.file).as_posix(), entry.engine, entry.version, entry.rows)


def _below(name: str, entries: list[FileEntry]) -> list[FileEntry]:
    return [FileEntry(f"{name}/{entry.path}", entry.size, entry.sha256) for entry in entries]


def _migrations() -> tuple[str, ...]:
    return tuple(
        sorted(
            f"{app}.{name}" for app, name in MigrationRecorder.Migration.objects.values_list("app", "name")
        )
    )


def _refuse_bad_target(target: Path) -> None:
    for folder in kept_folders().values():
        if target.resolve().is_relative_to(folder.resolve()):
            raise BadTarget(target, folder)
