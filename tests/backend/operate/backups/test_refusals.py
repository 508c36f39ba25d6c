"""What is refused, and in which words: damaged backups, wrong versions, instances in use."""

from __future__ import annotations

import os
from dataclasses import replace
from io import StringIO
from pathlib import Path

import msgspec
import psycopg
import pytest
from django.conf import settings as all_settings
from django.core.management import CommandError, call_command, load_command_class
from pytest_django.fixtures import Settings

from annotation.release.manifest import FileEntry, file_entry
from backend.operate.backups.admission import (
    refuse_newer,
    refuse_other_database,
    refuse_secrets,
    sole_process,
)
from backend.operate.backups.databases import label_studio_database, own_database
from backend.operate.backups.errors import (
    DatabaseDamaged,
    DatabaseUnreachable,
    NewerBackup,
    NoBackup,
    NoSecretsInside,
    OtherEngine,
    OtherPseudonymKey,
    ProgramFailed,
    ProgramMissing,
    SecretsElsewhere,
    ServerTooOld,
    StillInUse,
)
from backend.operate.backups.manifest import (
    MANIFEST,
    BackupManifest,
    DatabaseEntry,
    Engine,
    file_problems,
    key_mark,
    manifest_bytes,
    read_manifest,
)
from backend.operate.backups.postgres import PostgresDatabase
from backend.operate.backups.postgres_programs import run_program
from backend.operate.backups.sources import KEPT, PASSING
from backend.operate.backups.sqlite import SqliteDatabase
from backend.operate.instance.workplace import Workplace, take_possession

ENTRY = DatabaseEntry("attune.pgdump", "postgresql", 15, {})


def manifest_of(*files: FileEntry) -> BackupManifest:
    return BackupManifest(
        made_at="2026-03-01T12:00:00+00:00",
        migrations=(),
        key_mark="",
        has_secrets=False,
        database=ENTRY,
        label_studio=None,
        damaged=(),
        files=files,
    )


def server(url: str) -> PostgresDatabase:
    with psycopg.connect(url) as session:
        info = session.info
        return PostgresDatabase("It", info.dbname, info.user, "", info.host, str(info.port), "")


def test_every_folder_of_an_instance_is_kept_or_known_to_be_passing() -> None:
    """Whoever adds a folder decides whether a backup takes it along."""
    names = {
        name
        for name in dir(all_settings)
        if name.endswith("_DIR") and isinstance(getattr(all_settings, name), Path)
    }
    assert names == {*KEPT.values(), *PASSING, "DATA_DIR", "FILE_UPLOAD_TEMP_DIR"}


def test_a_backup_names_each_file_that_is_missing_changed_or_too_many(tmp_path: Path) -> None:
    for name in ("first", "second", "third"):
        (tmp_path / name).write_text(name)
    manifest = manifest_of(*(file_entry(tmp_path, name) for name in ("first", "second")))
    assert file_problems(tmp_path, manifest) == ["third: the manifest does not know it"]
    (tmp_path / "first").unlink()
    (tmp_path / "second").write_text("secondo")
    (tmp_path / "third").unlink()
    assert file_problems(tmp_path, manifest) == [
        "first: it is not there",
        "second: its content is not what was backed up",
    ]
    outside = FileEntry("../first", 1, "0")
    assert file_problems(tmp_path, manifest_of(outside))[-1] == "../first: it is not there"


def test_a_manifest_proves_itself(tmp_path: Path) -> None:
    with pytest.raises(NoBackup, match="has no manifest"):
        read_manifest(tmp_path)
    written = manifest_bytes(manifest_of())
    (tmp_path / MANIFEST).write_bytes(written)
    assert msgspec.structs.replace(read_manifest(tmp_path), hash="") == manifest_of()
    (tmp_path / MANIFEST).write_bytes(written.replace(b"2026-03-01", b"2027-03-01"))
    with pytest.raises(NoBackup, match="changed or damaged"):
        read_manifest(tmp_path)
    (tmp_path / MANIFEST).write_bytes(written[:40])
    with pytest.raises(NoBackup, match="cannot read"):
        read_manifest(tmp_path)


def test_a_backup_of_a_newer_version_is_refused() -> None:
    newer = msgspec.structs.replace(manifest_of(), migrations=("studies.0001_initial", "studies.9999_later"))
    with pytest.raises(NewerBackup, match=r"studies\.9999_later"):
        refuse_newer(newer)


def test_secrets_given_by_the_environment_are_not_restored(settings: Settings) -> None:
    settings.PRODUCTION = True
    with pytest.raises(SecretsElsewhere):
        refuse_secrets(manifest_of(), with_secrets=True, accept_other_key=True)


def test_another_pseudonym_key_is_refused_until_it_is_accepted(settings: Settings) -> None:
    settings.PSEUDONYM_KEY = "k" * 40
    same = msgspec.structs.replace(manifest_of(), key_mark=key_mark("k" * 40))
    refuse_secrets(same, with_secrets=False, accept_other_key=False)
    other = msgspec.structs.replace(manifest_of(), key_mark=key_mark("o" * 40))
    with pytest.raises(OtherPseudonymKey, match="ATTUNE_PSEUDONYM_KEY"):
        refuse_secrets(other, with_secrets=False, accept_other_key=False)
    refuse_secrets(other, with_secrets=False, accept_other_key=True)
    with pytest.raises(NoSecretsInside, match="--with-secrets"):
        refuse_secrets(other, with_secrets=True, accept_other_key=False)
    refuse_secrets(
        msgspec.structs.replace(other, has_secrets=True), with_secrets=True, accept_other_key=False
    )


@pytest.mark.django_db
def test_a_check_says_what_a_restore_would_refuse(tmp_path: Path, settings: Settings) -> None:
    """And does not mind that the instance runs and is not empty: a backup is checked where it was made."""
    settings.DATA_DIR = tmp_path / "data"
    settings.PSEUDONYM_KEY = "k" * 40
    here = DatabaseEntry("attune", own_database().engine, 0, {})
    fit = msgspec.structs.replace(manifest_of(), key_mark=key_mark("k" * 40), database=here)
    assert _checked(tmp_path, fit) == [
        "Checking the backup",
        f"The backup of {fit.made_at} is intact.",
        "It can be restored here, once everything is stopped.",
    ]
    other_key = msgspec.structs.replace(fit, key_mark=key_mark("o" * 40))
    with pytest.raises(CommandError, match="ATTUNE_PSEUDONYM_KEY"):
        _checked(tmp_path, other_key)
    assert _checked(tmp_path, other_key, "--accept-other-key")[-1].startswith("It can be restored here")
    other_engine: Engine = "sqlite" if here.engine == "postgresql" else "postgresql"
    elsewhere = DatabaseEntry("attune", other_engine, 0, {})
    with pytest.raises(CommandError, match=f"was backed up from {other_engine}"):
        _checked(tmp_path, msgspec.structs.replace(fit, database=elsewhere))
    assert not settings.DATA_DIR.exists()


def _checked(folder: Path, manifest: BackupManifest, *options: str) -> list[str]:
    backup = folder / "backup"
    backup.mkdir(exist_ok=True)
    (backup / MANIFEST).write_bytes(manifest_bytes(manifest))
    said = StringIO()
    call_command("restore", str(backup), "--check", *options, stdout=said)
    return said.getvalue().splitlines()


def test_the_help_names_everything_that_is_backed_up() -> None:
    said = load_command_class("backend.operate.backups", "back_up").help
    assert all(name in said for name in KEPT)


def test_an_instance_that_runs_is_left_alone(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    lock = take_possession(Workplace(tmp_path))
    with pytest.raises(StillInUse, match="is running"), sole_process():
        pass
    os.close(lock)
    with sole_process():
        pass


def test_a_backup_stays_with_its_engine(tmp_path: Path) -> None:
    with pytest.raises(OtherEngine, match="uses sqlite"):
        refuse_other_database(SqliteDatabase("It", tmp_path / "x.sqlite3"), ENTRY)


def test_a_broken_sqlite_file_is_not_taken_for_a_database(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite3"
    path.write_bytes(b"SQLite format 3\0" + b"\1" * 5000)
    with pytest.raises(DatabaseDamaged):
        SqliteDatabase("It", path).rows()


def test_label_studio_in_production_is_a_neighbour_on_the_same_server(settings: Settings) -> None:
    settings.LABEL_STUDIO_DATABASE_URL = "postgres://attune:secret@postgres:5432/label_studio?sslmode=require"
    found = label_studio_database()
    assert isinstance(found, PostgresDatabase)
    assert (found.host, found.database, found.ssl_mode) == ("postgres", "label_studio", "require")


@pytest.mark.slow
def test_a_postgresql_server_must_be_as_new_as_the_backup(postgres_url: str) -> None:
    database = server(postgres_url)
    database.refuse_if_too_old(ENTRY)
    with pytest.raises(ServerTooOld, match="version 99 or newer"):
        database.refuse_if_too_old(DatabaseEntry("x", "postgresql", 99, {}))
    with psycopg.connect(postgres_url), pytest.raises(StillInUse, match="connected to It"):
        database.refuse_if_in_use()


@pytest.mark.slow
def test_programs_that_fail_or_are_missing_say_so(postgres_url: str, tmp_path: Path) -> None:
    database = server(postgres_url)
    with pytest.raises(DatabaseUnreachable, match="It cannot be opened"):
        replace(database, port="1").size()
    with pytest.raises(ProgramMissing, match="postgresql-client"):
        run_program("pg_of_tomorrow", [], {})
    (tmp_path / "x.pgdump").write_bytes(b"no dump")
    with pytest.raises(ProgramFailed, match="pg_restore failed: error: "):
        database.load(tmp_path / "x.pgdump")
