"""Tokens are the same everywhere and lose no character of the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.tokens import covered_tokens, tokens
from tests.annotation.strategies import places, texts

any_text = st.one_of(texts, st.text(max_size=60))


@given(any_text)
def test_every_visible_character_is_in_exactly_one_token(text: str) -> None:
    at = 0
    for start, end in tokens(text):
        assert at <= start < end
        assert text[at:start].strip() == ""
        assert not any(character.isspace() for character in text[start:end])
        at = end
    assert text[at:].strip() == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("I'm so sorry.", ["I", "'", "m", "so", "sorry", "."]),
        ("Grüße, naïve_2", ["Grüße", ",", "naïve_2"]),
        ("我很难过abc", ["我", "很", "难", "过", "abc"]),
        ("ありがとう", ["あ", "り", "が", "と", "う"]),
        ("مرحبا بك؟", ["مرحبا", "بك", "؟"]),
        ("no😀way", ["no", "😀", "way"]),
    ],
)
def test_words_signs_and_scripts_without_spaces(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in tokens(text)] == expected


@given(texts.flatmap(lambda text: st.tuples(st.just(text), st.lists(places(text), max_size=4))))
def test_a_token_is_covered_if_any_of_its_characters_is(case: tuple[str, list[tuple[int, int]]]) -> None:
    text, spans = case
    marked = {at for start, end in spans for at in range(start, end)}
    expected = tuple(at for at, (start, end) in enumerate(tokens(text)) if marked & set(range(start, end)))
    assert covered_tokens(text, spans) == expected
