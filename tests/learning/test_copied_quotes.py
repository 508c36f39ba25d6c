"""Quotes that a model copied are found again in spite of small errors; what it made up is not."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.quotes import CHARACTERS_PER_EDIT
from corpus.word_borders import whole_words
from learning.copied_quotes import Copy, find_copied_quote, matched_quotes
from tests.annotation.strategies import places, texts

words = st.text("abcdefghij", min_size=2, max_size=8)
stories = st.lists(words, min_size=8, max_size=40, unique=True).map(" ".join)


@given(texts.flatmap(lambda text: st.tuples(st.just(text), places(text))))
def test_what_was_copied_exactly_is_found_exactly(given_: tuple[str, tuple[int, int]]) -> None:
    text, place = given_
    start, end = whole_words(text, *place)
    quote = text[start:end].strip()
    found = find_copied_quote(text, quote)
    if not quote:
        assert found is None
    else:
        assert found is not None and found.copy is Copy.EXACT
        assert text[found.start : found.end] == quote


@st.composite
def edited_quotes(draw: st.DrawFn) -> tuple[str, str, int]:
    """Text, some of its words after some edits, and how many there were: no more than are forgiven."""
    story = draw(stories)
    start = draw(st.integers(0, len(story) - 15))
    start, end = whole_words(story, start, draw(st.integers(start + 15, len(story))))
    quote = story[start:end].strip()
    n_edits = draw(st.integers(0, max(0, len(bare(quote)) - 3) // CHARACTERS_PER_EDIT))
    for _ in range(n_edits):
        at = draw(st.integers(0, len(quote) - 1))
        new = draw(st.sampled_from(["", "X", quote[at] + "Y"]))
        quote = quote[:at] + new + quote[at + 1 :]
    return story, quote, n_edits


def bare(text: str) -> str:
    return "".join(text.split()).casefold()


def edits(one: str, other: str) -> int:
    """Plainly, to check the quick way by."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        above, row = row, [at]
        for place, another in enumerate(other, start=1):
            row.append(min(above[place] + 1, row[-1] + 1, above[place - 1] + (letter != another)))
    return row[-1]


@given(edited_quotes())
def test_a_few_edited_characters_are_forgiven(given_: tuple[str, str, int]) -> None:
    """Whatever is found is as near as what was copied, wherever that is."""
    story, quote, n_edits = given_
    if len(bare(quote)) // CHARACTERS_PER_EDIT < n_edits:
        return
    found = find_copied_quote(story, quote)
    assert found is not None
    assert edits(bare(story[found.start : found.end]), bare(quote)) <= n_edits


@given(stories, st.text(string.ascii_uppercase[10:] + " ", min_size=1, max_size=60))
def test_what_was_made_up_is_not_found(story: str, invented: str) -> None:
    assert find_copied_quote(story, invented) is None


@given(texts, st.lists(st.text(max_size=30), max_size=5))
def test_every_quote_is_found_or_counted_and_places_are_in_the_text(text: str, quotes: list[str]) -> None:
    found = matched_quotes(text, quotes)
    assert len(found.places) + found.invented <= len(quotes)
    assert found.invented == sum(find_copied_quote(text, quote) is None for quote in quotes)
    at = 0
    for start, end in found.places:
        assert at <= start < end <= len(text)
        at = end


@pytest.mark.parametrize(
    ("quote", "expected", "copy"),
    [
        ("I'm so sorry", "I’m so  sorry", Copy.FORM),
        ("I’m so sorry", "I’m so  sorry", Copy.SPACING),
        ("SORRY, my Friend", "sorry, my friend", Copy.FORM),
        ('"a long - very long - day"', "a long — very long — day", Copy.FORM),
        ("that was a long very long day", "That was a long — very long — day", Copy.EDITED),
        ("Straße", "STRASSE", Copy.FORM),
    ],
)
def test_space_case_and_marks_do_not_matter(quote: str, expected: str, copy: Copy) -> None:
    text = "I’m so  sorry, my friend. That was a long — very long — day in STRASSE 5."
    found = find_copied_quote(text, quote)
    assert found is not None and text[found.start : found.end] == expected
    assert found.copy is copy


@given(stories, st.text("abcdefghij ", min_size=1, max_size=30))
def test_whatever_is_found_is_whole_words(story: str, quote: str) -> None:
    found = find_copied_quote(story, quote)
    assert found is None or whole_words(story, found.start, found.end) == (found.start, found.end)


@pytest.mark.parametrize("quote", ["he", "a", "HE", "her", "!S", "eather in"])
def test_words_within_other_words_are_made_up(quote: str) -> None:
    assert find_copied_quote("The weather in Ghent! So", quote) is None


@pytest.mark.parametrize(
    ("text", "quote", "start"),
    [
        ("The weather. He left, he did", "he", 22),
        ("Sooo… so sorry!", "so sorry!", 6),
        ("well, (she said)", "(she said)", 6),
        ("我很难过,朋友", "难过", 2),
        ("great🙂🙂day", "🙂day", 6),
        ("it was _really_ hard", "really", 8),
    ],
)
def test_the_first_whole_occurrence_is_meant(text: str, quote: str, start: int) -> None:
    found = find_copied_quote(text, quote)
    assert found is not None and (found.start, found.copy) == (start, Copy.EXACT)


def test_a_long_quote_that_was_cut_off_within_a_word_is_edited() -> None:
    text = "I am so sorry to hear that"
    found = find_copied_quote(text, "o sorry to hear tha")
    assert found is None
    found = find_copied_quote(text, "so sorry to hear tha")
    assert found is not None and (text[found.start : found.end], found.copy) == (text[5:], Copy.EDITED)


@pytest.mark.parametrize(
    ("text", "quote", "expected", "copy"),
    [
        ("Je t'ai tant aimé", "tant aime", "tant aimé", Copy.FORM),
        ("un café noir", "un cafe", "un café", Copy.FORM),
        ("Oh, je t'ai tant aimé hier", "je t'ay tant aime", "je t'ai tant aimé", Copy.EDITED),
    ],
)
def test_the_last_letter_may_lose_its_accent(text: str, quote: str, expected: str, copy: Copy) -> None:
    found = find_copied_quote(text, quote)
    assert found is not None and (text[found.start : found.end], found.copy) == (expected, copy)


def test_a_lost_accent_makes_no_whole_word_of_a_part() -> None:
    assert find_copied_quote("un caféier noir", "un cafe") is None


def test_short_quotes_have_to_be_right() -> None:
    assert find_copied_quote("I feel with you", "feal") is None
    assert find_copied_quote("I feel with you", "I feal with you") is not None


def test_overlapping_quotes_are_one_place() -> None:
    found = matched_quotes("so very sorry for you", ["so very sorry", "sorry for", "sorry for"])
    assert found.places == ((0, 17),) and found.invented == 0
