"""Highlights are trimmed, and marks on sentences become sentences without getting lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.label_studio.decoding.offsets import marked_sentences, trimmed_place
from annotation.sentences import sentences
from tests.annotation.strategies import places, texts

TEXT = "Oh no. I feel with you. Call me."
ALL = ((0, 6), (7, 23), (24, 32))


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 6, (0, 6)),
        (6, 14, (7, 13)),
        (0, 32, (0, 32)),
        (6, 7, None),
        (5, 5, None),
        (6, 5, None),
        (-1, 5, None),
        (0, 33, None),
        (10**30, 10**31, None),
    ],
)
def test_places_are_trimmed_or_refused(start: int, end: int, expected: tuple[int, int] | None) -> None:
    assert trimmed_place(TEXT, start, end) == expected


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 6, ALL[:1]),
        (0, 7, ALL[:1]),
        (7, 32, ALL[1:]),
        (0, 14, ALL[:1]),
        (0, 15, ALL[:2]),
        (9, 13, ALL[1:2]),
        (5, 10, ((5, 10),)),
    ],
)
def test_a_mark_means_the_sentences_it_covers_by_half_or_lies_in(
    start: int, end: int, expected: tuple[tuple[int, int], ...]
) -> None:
    assert marked_sentences(TEXT, start, end) == expected


@given(st.data(), texts)
def test_no_mark_is_lost_and_sentences_stay_themselves(data: st.DataObject, text: str) -> None:
    start, end = data.draw(places(text))
    found = marked_sentences(text, start, end)
    assert all(first < end and start < last for first, last in found)
    assert found == ((start, end),) or set(found) <= set(sentences(text))
    for sentence in sentences(text):
        assert marked_sentences(text, *sentence) == (sentence,)
