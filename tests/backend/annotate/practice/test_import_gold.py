"""The command imports a file or says what is wrong with it."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.backend.annotate.practice.fixtures import add_codebook, add_item
from tests.cast import Cast


def test_a_file_is_imported(cast: Cast, tmp_path: Path) -> None:
    add_codebook(cast)
    add_item(cast, post="no, no.")
    file, said = tmp_path / "gold.yaml", StringIO()
    file.write_text("item-1: {codes: {sharing-emotions: {quotes: ['no']}}}")
    call_command("import_gold", "kind-words", str(file), stdout=said)
    assert "occurs 2 times" in said.getvalue()
    assert said.getvalue().endswith("1 added, 0 changed, 0 as they were\n")


@pytest.mark.parametrize(
    ("study", "name", "content", "words"),
    [
        ("nowhere", "gold.yaml", b"", "no study"),
        ("kind-words", "missing.yaml", None, "cannot be read"),
        ("kind-words", "gold.yaml", b"\xff", "not UTF-8"),
        ("kind-words", "gold.yaml", b"item-9: {}", "line 1, item item-9"),
        ("elsewhere", "gold.yaml", b"item-1: {}", "has no codebook yet"),
    ],
)
def test_what_is_wrong_is_said(
    cast: Cast, tmp_path: Path, study: str, name: str, content: bytes | None, words: str
) -> None:
    add_codebook(cast)
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(CommandError, match=words):
        call_command("import_gold", study, str(file))
