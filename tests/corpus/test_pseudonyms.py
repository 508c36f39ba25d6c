"""Pseudonyms: keyed, stable, and in texts too."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.errors import InvalidName, InvalidRules
from corpus.names import checked_name
from corpus.pseudonyms import Pseudonyms

ONE, OTHER = Pseudonyms(b"1" * 16), Pseudonyms(b"2" * 16)


def test_the_key_decides() -> None:
    assert ONE.of("Ada") == Pseudonyms(b"1" * 16).of("ada") != OTHER.of("ada")
    assert ONE.fingerprint != OTHER.fingerprint
    assert ONE.of_all(["[deleted]", None, "ada"]) == [None, None, ONE.of("ada")]
    with pytest.raises(InvalidRules, match="16"):
        Pseudonyms(b"short")


@given(st.from_regex(r"[A-Za-z0-9_-]{3,20}", fullmatch=True))
def test_no_mention_survives(name: str) -> None:
    hidden = ONE.hide_mentions(f"so /u/{name}, says (user/{name}) and u/{name}")
    assert hidden.count(str(ONE.of(name))) == 3


def test_other_words_stay() -> None:
    text = "you/me, r/askers, menu/items, u/ab"
    assert ONE.hide_mentions(text) == text


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../a", "a\\b", "a\n", "-rf", "a.", "x" * 101, "é"])
def test_names_that_could_leave_their_directory_are_refused(name: str) -> None:
    with pytest.raises(InvalidName):
        checked_name("community", name)
