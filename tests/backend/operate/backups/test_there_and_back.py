"""Backups and restores by the real commands: hashes stay the same, kills leave nothing half, damage is refused."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path

import psycopg
import pytest

from annotation.release.write_protection import unseal
from tests.backend.operate.backups.instances import (
    InstanceForBackups,
    make_instance,
    new_postgres_database,
)

pytestmark = pytest.mark.slow
DIE_AT = ("-m", "tests.backend.operate.backups.die_at")


def test_another_machine_gets_the_same_rows_and_the_same_hashes(
    held: dict[str, str], backup: Path, empty: InstanceForBackups
) -> None:
    done = empty.manage("restore", str(backup))
    assert done.returncode == 0, done.stderr
    assert "every row and every hash is the same" in done.stdout
    assert empty.holds() == held
    with closing(sqlite3.connect(empty.data_dir / "label-studio" / "label_studio.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM task_completion").fetchone() == (40,)
    assert not (backup / "secrets.json").exists()
    # Now it is not empty any more
    again = empty.manage("restore", str(backup))
    assert again.returncode != 0
    assert "it has studies" in again.stderr and "--replace" in again.stderr


def test_the_same_on_postgresql_with_label_studio_beside_it(postgres_url: str, tmp_path: Path) -> None:
    """The second instance is in use before: everything of it goes, tables that the backup does not know too."""
    with ExitStack() as databases:
        urls = {
            name: databases.enter_context(new_postgres_database(postgres_url, name))
            for name in ("first", "first_label_studio", "second", "second_label_studio")
        }
        with psycopg.connect(urls["first_label_studio"]) as label_studio:
            label_studio.execute("CREATE EXTENSION pg_trgm")
            label_studio.execute("CREATE TABLE task_completion AS SELECT generate_series(1, 40) AS id")
        first = make_instance(tmp_path / "first", urls["first"])
        done = first.manage(
            "back_up", str(tmp_path), ATTUNE_LABEL_STUDIO_DATABASE_URL=urls["first_label_studio"]
        )
        assert done.returncode == 0, done.stderr
        (backup,) = tmp_path.glob("attune-*")
        second = InstanceForBackups(tmp_path / "second", urls["second"])
        with psycopg.connect(urls["second"]) as connection:
            connection.execute("CREATE TABLE of_a_newer_version (id bigint)")
        done = second.manage(
            "restore", str(backup), ATTUNE_LABEL_STUDIO_DATABASE_URL=urls["second_label_studio"]
        )
        assert done.returncode == 0, done.stderr
        assert second.holds() == first.holds()
        with psycopg.connect(urls["second_label_studio"]) as label_studio:
            assert label_studio.execute("SELECT count(*) FROM task_completion").fetchone() == (40,)
            # Somebody is connected
            busy = second.manage(
                "restore",
                str(backup),
                "--replace",
                ATTUNE_LABEL_STUDIO_DATABASE_URL=urls["second_label_studio"],
            )
        assert "connected to Label Studio's database" in busy.stderr


def test_kill_9_leaves_no_half_backup_and_the_next_one_clears_up(
    original: InstanceForBackups, tmp_path: Path
) -> None:
    killed = original.run(*DIE_AT, "back_up", str(tmp_path), "Checking the copy")
    assert killed.returncode == -9
    (left,) = tmp_path.glob(".attune-*")
    assert (left / "releases").is_dir()
    assert not list(tmp_path.glob("attune-*"))
    made = original.back_up(tmp_path, "--with-secrets")
    assert [path.name for path in tmp_path.iterdir() if path.name != ".lock"] == [made.name]
    assert (made / "secrets.json").stat().st_mode & 0o077 == 0


def test_kill_9_amid_a_restore_is_noticed_and_mended_by_restoring_again(
    held: dict[str, str], backup: Path, empty: InstanceForBackups
) -> None:
    killed = empty.run(*DIE_AT, "restore", str(backup), "Exchanging the files")
    assert killed.returncode == -9
    refused = empty.run("-m", "backend.operate.launch.prepare")
    assert refused.returncode == 1
    assert "did not come to its end" in refused.stderr
    done = empty.manage("restore", str(backup))
    assert done.returncode == 0, done.stderr
    assert empty.holds() == held
    assert not list(empty.data_dir.glob(".restoring"))


def test_a_damaged_backup_is_refused_before_anything_is_touched(
    backup: Path, empty: InstanceForBackups, tmp_path: Path
) -> None:
    spoilt = tmp_path / "spoilt"
    shutil.copytree(backup, spoilt)
    unseal(spoilt)
    victim = spoilt / "releases" / "1-kind-words" / "2" / "labels.csv"
    victim.chmod(0o600)
    victim.write_bytes(victim.read_bytes()[:-1] + b"!")
    done = empty.manage("restore", str(spoilt))
    assert done.returncode != 0
    assert "releases/1-kind-words/2/labels.csv: its content is not what was backed up" in done.stderr
    assert not (empty.data_dir / "releases").exists()
    assert not (empty.data_dir / "restoring").exists()
