"""A restore that fails before anything was exchanged leaves an instance that starts, and room for the next try."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest
from pytest_django.fixtures import Settings

from annotation.release.manifest import FileEntry
from backend.operate.backups.databases import own_database
from backend.operate.backups.errors import NotEnoughSpace
from backend.operate.backups.manifest import BackupManifest, DatabaseEntry, key_mark
from backend.operate.backups.restoring import STAGING, RestoreWishes, refuse_here
from tests.backend.operate.backups.instances import InstanceForBackups
from tests.backend.operate.backups.test_refusals import manifest_of

SIGN = "restoring"
RESTORE_WITH_SMALL_FILES = """
import resource, sys
from django.core.management import execute_from_command_line
resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
execute_from_command_line(["manage.py", "restore", sys.argv[1]])
"""


def as_large_as(n_bytes: int, settings: Settings) -> BackupManifest:
    return msgspec.structs.replace(
        manifest_of(FileEntry("files/large", n_bytes, "0")),
        key_mark=key_mark(settings.PSEUDONYM_KEY),
        database=DatabaseEntry("attune", own_database().engine, 0, {}),
    )


@pytest.mark.django_db
def test_what_a_killed_restore_left_is_no_lack_of_room(tmp_path: Path, settings: Settings) -> None:
    """It is removed before anything is copied."""
    settings.DATA_DIR = tmp_path
    total = shutil.disk_usage(tmp_path).total
    with pytest.raises(NotEnoughSpace, match="are needed"):
        refuse_here(as_large_as(total, settings), RestoreWishes())
    left = tmp_path / STAGING / "corpora" / "posts.parquet"
    left.parent.mkdir(parents=True)
    with left.open("wb") as large:
        large.truncate(total)  # a file of nothing, which takes no room
    refuse_here(as_large_as(total, settings), RestoreWishes())
    settings.DATA_DIR = tmp_path / "not" / "there" / "yet"
    refuse_here(as_large_as(1, settings), RestoreWishes())


@pytest.mark.slow
def test_what_fails_before_anything_was_exchanged_locks_nobody_out(
    held: dict[str, str], backup: Path, empty: InstanceForBackups
) -> None:
    """First no file can be copied, then the database cannot be written; a later try succeeds."""
    failed = empty.run("-c", RESTORE_WITH_SMALL_FILES, str(backup))
    assert failed.returncode != 0 and "File too large" in failed.stderr
    assert {path.name for path in empty.data_dir.iterdir()}.isdisjoint({SIGN, STAGING})
    in_the_way = empty.data_dir / "attune.sqlite3.restoring"
    in_the_way.mkdir()
    failed = empty.manage("restore", str(backup))
    assert failed.returncode != 0 and "Restoring Attune's database" in failed.stdout
    assert {path.name for path in empty.data_dir.iterdir()}.isdisjoint({SIGN, STAGING})
    # One that was half restored before still is
    (empty.data_dir / SIGN).write_text(f"{backup}\n")
    assert empty.manage("restore", str(backup)).returncode != 0
    assert "did not come to its end" in empty.run("-m", "backend.operate.launch.prepare").stderr
    in_the_way.rmdir()
    done = empty.manage("restore", str(backup))
    assert done.returncode == 0, done.stderr
    assert empty.holds() == held
