"""The file that says which adapter is in service."""

from __future__ import annotations

from pathlib import Path

import pytest

from learning.adapters.in_service import (
    IN_SERVICE,
    InService,
    ServiceFileUnreadable,
    read_in_service,
    write_in_service,
)

ENTRY = InService(
    adapter_id="a", folder="/a", edition_hash="e", study_slug="s", since="2026-03-01T12:00:00+00:00"
)


def test_it_says_which_one_or_that_there_is_none(tmp_path: Path) -> None:
    assert read_in_service(tmp_path / "s") is None
    write_in_service(tmp_path / "s", ENTRY)
    assert read_in_service(tmp_path / "s") == ENTRY
    write_in_service(tmp_path / "s", None)
    assert read_in_service(tmp_path / "s") is None


def test_a_damaged_one_is_not_taken_for_none(tmp_path: Path) -> None:
    (tmp_path / IN_SERVICE).write_text("{")
    with pytest.raises(ServiceFileUnreadable, match="Start Attune again"):
        read_in_service(tmp_path)
