"""One instance per data directory, and no sign of life from an earlier run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from backend.operate.instance.workplace import AlreadyRunning, Workplace, take_possession


def test_the_directory_is_private_and_held_by_one(tmp_path: Path) -> None:
    workplace = Workplace(tmp_path / "data")
    lock = take_possession(workplace)
    assert workplace.data_dir.stat().st_mode & 0o077 == 0
    with pytest.raises(AlreadyRunning, match="ATTUNE_DATA_DIR="):
        take_possession(workplace)
    os.close(lock)
    os.close(take_possession(workplace))


def test_old_signs_of_life_are_cleared(tmp_path: Path) -> None:
    workplace = Workplace(tmp_path)
    os.close(take_possession(workplace))
    workplace.ready_sign("sync").touch()
    workplace.beat_pid.write_text("1")
    os.close(take_possession(workplace))
    assert not workplace.ready_sign("sync").exists()
    assert not workplace.beat_pid.exists()
