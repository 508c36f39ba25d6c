"""One filled instance on SQLite and one backup of it, which tests copy before they spoil it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.backend.operate.backups.instances import InstanceForBackups, make_instance, sqlite_url


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> InstanceForBackups:
    data_dir = tmp_path_factory.mktemp("original") / "data"
    return make_instance(data_dir, sqlite_url(data_dir))


@pytest.fixture(scope="session")
def held(original: InstanceForBackups) -> dict[str, str]:
    return original.holds()


@pytest.fixture(scope="session")
def backup(original: InstanceForBackups, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return original.back_up(tmp_path_factory.mktemp("backups"))


@pytest.fixture
def empty(tmp_path: Path) -> InstanceForBackups:
    """Another machine on which nothing was ever started."""
    return InstanceForBackups(tmp_path / "data", sqlite_url(tmp_path / "data"))
