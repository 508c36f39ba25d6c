"""Texts for a model, an item a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.answers import ItemText
from learning.tasks.texts import TextsUnreadable, read_texts, write_texts


def test_texts_come_back_as_they_were_in_their_order(tmp_path: Path) -> None:
    texts = (ItemText("b", "Title", "Post\nwith lines \u2028", "Reply"), ItemText("a", "", "Post", None))
    write_texts(tmp_path / "texts.jsonl", texts)
    assert read_texts(tmp_path / "texts.jsonl") == texts


def test_a_line_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "texts.jsonl").write_text('{"item_id": 3}\n')
    with pytest.raises(TextsUnreadable, match="line 1"):
        read_texts(tmp_path / "texts.jsonl")
