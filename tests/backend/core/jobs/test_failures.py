"""A failure says what happened and never quotes what a person wrote."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from backend.core.jobs.errors import UnknownJobKind
from backend.core.jobs.failures import describe_failure, describe_trace
from corpus.errors import BrokenRecord

PRIVATE = "I have not slept since my mother died"


def raised(error: Exception) -> Exception:
    try:
        raise error
    except Exception as caught:
        return caught


def test_our_own_errors_are_shown_whole() -> None:
    assert describe_failure(raised(UnknownJobKind("No handler."))) == "UnknownJobKind: No handler."


@pytest.mark.parametrize("error", [ValueError(PRIVATE), UnicodeError(PRIVATE), KeyError(PRIVATE)])
def test_a_foreign_error_is_named_and_placed_but_not_quoted(error: Exception) -> None:
    described = describe_failure(raised(error))
    assert described.startswith(f"{type(error).__name__}: an unexpected error in raised, line ")
    assert PRIVATE not in described
    assert PRIVATE not in describe_trace(raised(error))


def test_the_system_s_errors_keep_their_reason_without_the_file_s_name() -> None:
    assert describe_failure(OSError(28, "No space left on device", "/data/x")) == (
        "OSError: No space left on device"
    )


def test_the_trace_shows_the_way_through_the_code() -> None:
    assert "test_failures.py" in describe_trace(raised(ValueError(PRIVATE)))


def test_where_the_server_keeps_its_files_is_not_told(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR, settings.FILES_DIR = tmp_path, tmp_path / "files"
    named = describe_failure(
        raised(UnknownJobKind(f"{tmp_path}/files/kind-words/p.csv and {tmp_path} are gone."))
    )
    assert named == "UnknownJobKind: files/kind-words/p.csv and the data directory are gone."
    broken = describe_failure(
        raised(BrokenRecord(tmp_path / "files" / "p.csv", "row 3", "it is broken.", "Mend it."))
    )
    assert broken == "BrokenRecord: p.csv, row 3: it is broken. Mend it."
