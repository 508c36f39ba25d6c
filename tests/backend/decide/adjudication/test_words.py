"""What the caret stops at and what the page can paint, for texts as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.sentences import sentences
from annotation.tokens import tokens
from backend.decide.adjudication.words import pieces, words
from codebook.schema import Part

TEXTS = st.text(st.sampled_from("ab.。?_-'’ \n😭👍🏽\u200d\ufe0fé\u0301我"))


@given(TEXTS)
def test_a_marked_sentence_can_be_painted_whole(text: str) -> None:
    cut = {edge for piece in pieces(text, Part.POST, [], []) for edge in (piece.start, piece.end)}
    assert {edge for place in sentences(text) for edge in place} <= cut


@pytest.mark.parametrize(
    "stops",
    [
        ["sad", "😭"],
        ["lost", ".", ".", ".", "nobody"],
        ["work", "—", "nobody"],
        ["end", ".", "Start"],
        ["rock-and-roll’s", "-", "-", "no"],
        ["👩🏽‍🚀", "👨‍👩‍👧", "❤️", "love"],
        ["🇫🇷", "🇩🇪"],
        ["cafe\u0301s"],
        ["नमस्ते"],
        ["我", "很", "难"],
    ],
    ids="".join,
)
def test_the_caret_stops_at(stops: list[str]) -> None:
    text = "".join(stops)
    assert [text[start:end] for start, end in words(text)] == stops


@given(TEXTS)
def test_every_sign_can_be_selected_and_no_token_is_cut(text: str) -> None:
    stops = words(text)
    assert "".join(text[start:end] for start, end in stops) == "".join(text.split())
    assert {edge for stop in stops for edge in stop} <= {edge for token in tokens(text) for edge in token}
