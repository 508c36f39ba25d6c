"""What the caret stops at and what the page can paint, for texts as people write them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from annotation.sentences import sentences
from backend.adjudication.words import pieces
from codebook.schema import Part

TEXTS = st.text(st.sampled_from(list("ab.。?_-'’ \n") + ["😭", "👍", "🏽", "\u200d", "\ufe0f", "é", "\u0301", "我"]))


@given(TEXTS)
def test_a_marked_sentence_can_be_painted_whole(text: str) -> None:
    cut = {edge for piece in pieces(text, Part.POST, [], []) for edge in (piece.start, piece.end)}
    assert {edge for place in sentences(text) for edge in place} <= cut
