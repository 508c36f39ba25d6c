"""What people marked in a release, described by a command."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from codebook.schema import Part
from codebook.shipped import load_shipped
from tests.ml_backend.fixtures import made_release


def test_it_writes_tables_and_says_what_stands(tmp_path: Path) -> None:
    release = made_release(tmp_path / "release", load_shipped("empathy-cause"), 60, parts=(Part.POST,))
    lexicon, said = tmp_path / "mine.csv", StringIO()
    lexicon.write_text("word,warmth\nsunshine,1\nclouds,-1\n")
    call_command("marked_sentences", release, tmp_path / "out", "--lexicon", lexicon, stdout=said)
    names = {path.name for path in (tmp_path / "out" / "tables").glob("*.csv")}
    assert {"words-empathy-cause.csv", "pairs-empathy-cause.csv", "lexicon-empathy-cause.csv"} <= names
    assert (
        "“clouds” in sentences marked for “Cause of empathy” and in the others: 50.0% against 0.0%"
        in said.getvalue()
    )
    with pytest.raises(CommandError, match="out"):
        call_command("marked_sentences", release, tmp_path / "out", stdout=StringIO())


def test_a_release_without_marks_or_texts_is_refused(tmp_path: Path) -> None:
    made = made_release(tmp_path / "ratings", load_shipped("construct-ratings"), 12)
    with pytest.raises(CommandError, match="Nothing is marked in this release"):
        call_command("marked_sentences", made, tmp_path / "out", stdout=StringIO())
