"""Places that may tell who somebody is are found; dates, prices and ordinary words are left alone."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.personal_data import find_personal_data, replace_personal_data
from tests.examples import examples


def found(text: str, *names: str) -> list[tuple[str, str]]:
    return [(hit.kind.value, text[hit.start : hit.end]) for hit in find_personal_data(text, names)]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Mail me: ann.lee+x@mail.example.co.uk!", [("email", "ann.lee+x@mail.example.co.uk")]),
        (
            "Call (020) 7946 0958 or 0049-30-123456.",
            [("phone", "(020) 7946 0958"), ("phone", "0049-30-123456")],
        ),
        ("Ring 5551234567 now", [("phone", "5551234567")]),
        ("Thanks u/quiet_fox and @deep.blue", [("handle", "u/quiet_fox"), ("handle", "@deep.blue")]),
        ("I am @bea@social.example on there", [("handle", "@bea@social.example")]),
        ("See https://www.instagram.com/bea.f/ for more", [("link", "https://www.instagram.com/bea.f")]),
        ("My name is Bea Fontana, I live here", [("name", "Bea Fontana")]),
        ("Dear Chen,\nDr. Wei said so", [("name", "Chen"), ("name", "Wei")]),
        ("It helped.\n\nBest wishes,\nAmal", [("name", "Amal")]),
        ("my daughter is named Zoë-Marie", [("name", "Zoë-Marie")]),
    ],
)
def test_what_tells_who_somebody_is(text: str, places: list[tuple[str, str]]) -> None:
    assert found(text) == places


@pytest.mark.parametrize(
    "text",
    [
        "On 2023-01-15 and 15/01/2023, from 2019-2023, I paid 12.50 for 1,000 of them.",
        "Hi all, thanks everyone. Hello There. Dear Mom",
        "It was 3 pm, 100 people, 12345678 views",
        "They named it after a song. call me old",
        "a/b, and/or, me @ home",
        "",
    ],
)
def test_what_tells_nothing(text: str) -> None:
    assert found(text) == []


def test_listed_names_are_found_as_whole_words() -> None:
    assert found("Rosalind saw Rosa. rosa parks", "Rosa") == [("name", "Rosa")]


@settings(max_examples=examples(60))
@given(st.text(alphabet="ab@.+-/u0123456789 \n,HiDear", max_size=60))
def test_places_never_overlap_and_replacing_leaves_the_rest_as_it_was(text: str) -> None:
    hits = find_personal_data(text)
    assert all(one.end <= other.start for one, other in pairwise(hits))
    rest = [
        text[a:b]
        for a, b in zip([0, *(h.end for h in hits)], [*(h.start for h in hits), len(text)], strict=True)
    ]
    replaced = replace_personal_data(text, hits)
    words = [hit.kind.placeholder for hit in hits]
    assert replaced == "".join(part for pair in zip(rest, [*words, ""], strict=True) for part in pair)
