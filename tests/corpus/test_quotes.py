"""Quotes are found again as whole words, and quickly in whatever text."""

from __future__ import annotations

import sys
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.quotes import FoundQuote, find_quote
from corpus.word_borders import letters_cut_off, whole_words


@given(st.text(alphabet="ab \n\U0001f642", min_size=1), st.data())
def test_a_quote_cut_from_a_text_is_found_with_its_words(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    start, end = whole_words(text, start, data.draw(st.integers(start + 1, len(text))))
    quote = " ".join(text[start:end].split())
    found = find_quote(text, quote)
    if not quote:
        assert found is None
    else:
        assert found is not None
        assert "".join(text[found.start : found.end].split()) == quote.replace(" ", "")


def test_quotes_are_whole_words_unless_they_are_long_and_lack_little() -> None:
    text = "The weather. I am sorry to hear that, he said."
    assert find_quote(text, "he") == FoundQuote(38, 40, "exact")
    assert find_quote(text, "eather") is None
    assert find_quote(text, "orry to hear that") == FoundQuote(19, 36, "cut")
    assert find_quote(text, "rry to hear that") is None
    assert find_quote("sorry forever, sorry  for you", "sorry for") == FoundQuote(15, 25, "loose")


@given(st.text(alphabet="ab \U0001f642", min_size=1), st.data())
def test_letters_are_counted_up_to_the_most_that_matter(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    most = data.draw(st.integers(0, 5))
    first, last = whole_words(text, start, end)
    cut = start - first + last - end
    counted = letters_cut_off(text, start, end, most=most)
    assert counted == cut if cut <= most else most < counted <= cut


@pytest.mark.parametrize("quote", ["hahaha", "ha" * 30])
def test_a_text_that_is_one_long_word_takes_no_longer_for_each_letter(quote: str) -> None:
    assert _n_calls("ha" * 1000, quote) < 2.5 * _n_calls("ha" * 500, quote)


def _n_calls(text: str, quote: str) -> int:
    """How often Python calls a function to find the quote: the work, whatever else the machine does."""
    n_calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal n_calls
        n_calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        assert find_quote(text, quote) is None
    finally:
        sys.setprofile(before)
    return n_calls
