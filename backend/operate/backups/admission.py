"""Whether a backup may be restored here; everything that can be refused is refused before anything is changed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.operate.backups.databases import Database
from backend.operate.backups.errors import (
    NewerBackup,
    NoSecretsInside,
    NotEmpty,
    OtherEngine,
    OtherPseudonymKey,
    SecretsElsewhere,
    StillInUse,
)
from backend.operate.backups.manifest import BackupManifest, DatabaseEntry, key_mark
from backend.operate.backups.sources import kept_folders
from backend.operate.instance.half_restored import is_half_restored
from backend.operate.instance.workplace import AlreadyRunning, Workplace, take_possession


@contextmanager
def sole_process() -> Iterator[None]:
    """An embedded instance that runs holds this lock; none can start while we hold it."""
    try:
        lock = take_possession(Workplace(settings.DATA_DIR))
    except AlreadyRunning:
        raise StillInUse(f"Attune is running on {settings.DATA_DIR}.") from None
    try:
        yield
    finally:
        os.close(lock)


def refuse_other_database(database: Database, entry: DatabaseEntry) -> None:
    if database.engine != entry.engine:
        raise OtherEngine(database.name, entry.engine, database.engine)
    database.refuse_if_too_old(entry)


def refuse_newer(manifest: BackupManifest) -> None:
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    unknown = [name for name in manifest.migrations if name not in known]
    if unknown:
        raise NewerBackup(unknown)


def refuse_secrets(manifest: BackupManifest, *, with_secrets: bool, accept_other_key: bool) -> None:
    if with_secrets and settings.PRODUCTION:
        raise SecretsElsewhere
    if with_secrets and not manifest.has_secrets:
        raise NoSecretsInside
    other = manifest.key_mark != key_mark(settings.PSEUDONYM_KEY)
    if other and not with_secrets and not accept_other_key:
        raise OtherPseudonymKey


def refuse_non_empty() -> None:
    """An instance that was only prepared is empty: it has tables and nothing in them. So is one that a restore left."""
    if is_half_restored():
        return
    tables = connection.introspection.table_names()
    for model, words in ((Study, "studies"), (User, "accounts")):
        if model._meta.db_table in tables and model._default_manager.exists():
            raise NotEmpty(words)
    for name, folder in kept_folders().items():
        if _holds_files(folder):
            raise NotEmpty(f"files in {name}")


def _holds_files(folder: Path) -> bool:
    return any(path.is_file() for path in folder.rglob("*"))
