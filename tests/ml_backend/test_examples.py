"""Releases and tables become examples, and what is wrong with a table is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.answers import ItemText
from annotation.release.read import read_release
from annotation.release.rows import SplitPart
from codebook.schema import Part
from codebook.shipped import load_shipped
from corpus.errors import MissingColumn
from ml_backend.examples import Example, ItemTwice, TextColumns, TextMissing, examples_in_table, examples_of
from tests.ml_backend.fixtures import examples, made_release


@pytest.mark.parametrize("name", ["epitome", "empathy-practices", "empathy-cause", "construct-ratings"])
def test_what_went_into_a_release_comes_out_as_examples(name: str, tmp_path: Path) -> None:
    codebook = load_shipped(name)
    release = read_release(made_release(tmp_path / "r", codebook, 12))
    found = [each for part in SplitPart for each in examples_of(release, part)]
    assert sorted(found, key=lambda each: each.item_id) == examples(codebook, 12)


def test_a_title_is_read_before_its_post_and_moves_no_place() -> None:
    each = Example(ItemText("i", "Help", "I am lost", "Oh"))
    text, start = each.shown(Part.POST)
    assert text[start:] == "I am lost" and text.startswith("Help\n")
    assert each.shown(Part.REPLY) == ("Oh", 0)


def test_texts_come_from_a_table(tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    path.write_text("id,body,answer\n1,Post one,\n2,Post two,Yes\n")
    columns = TextColumns("id", "body", "answer")
    assert [each.text for each in examples_in_table(path, columns)] == [
        ItemText("1", "", "Post one", None),
        ItemText("2", "", "Post two", "Yes"),
    ]


def test_what_is_wrong_with_a_table_is_named(tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    columns = TextColumns("id", "body", None)
    path.write_text("id,body\n1,Post\n1,Other\n")
    with pytest.raises(ItemTwice, match="row 2"):
        examples_in_table(path, columns)
    path.write_text("id,body\n1,\n")
    with pytest.raises(TextMissing, match="'body' is empty"):
        examples_in_table(path, columns)
    path.write_text("id,text\n1,Post\n")
    with pytest.raises(MissingColumn):
        examples_in_table(path, columns)
