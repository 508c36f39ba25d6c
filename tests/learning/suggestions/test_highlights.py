"""Suggested highlights have the size of those that annotators mark."""

import itertools
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.release.rows import (
    Evidence,
    FinalLabel,
    LabelSource,
    ReleaseItem,
    ReleaseRow,
    Snippet,
    SplitPart,
    Vote,
    Words,
)
from codebook.schema import Part
from learning.suggestions.highlights import (
    WITHOUT_RELEASE,
    HighlightLimits,
    Mark,
    limits_by_code,
    sized_marks,
)
from tests.examples import examples


def _row(code: str, *annotators: Sequence[int], snippets: Sequence[int] = ()) -> ReleaseRow:
    """Each annotator with the lengths of what they marked."""
    votes = tuple(
        Vote("a", 1, "e", tuple(Words(Part.POST, 0, length) for length in lengths)) for lengths in annotators
    )
    evidence = Evidence(tuple(Snippet(Part.POST, 0, length, 1.0) for length in snippets))
    label = FinalLabel(code, 1, LabelSource.AGREED, 1.0, 1.0, "e", False, len(votes), evidence, votes, None)
    item = ReleaseItem("i", "reddit", "lane", "p", None, False, (), None)
    return ReleaseRow(item, SplitPart.TRAIN, (label,))


def test_limits_are_what_annotators_mark_themselves() -> None:
    rows = [_row("worry", [10, 20], [30]) for _ in range(9)] + [_row("worry", [400, 400, 400])]
    assert limits_by_code(rows)["worry"] == HighlightLimits(number=2, shortest=10, longest=30)


def test_a_code_that_was_hardly_marked_has_the_limits_of_all() -> None:
    rows = [_row("worry", [10, 20]) for _ in range(9)] + [_row("hope", [200]), _row("joy")]
    found = limits_by_code(rows)
    assert found["hope"] == found["joy"]
    assert found["hope"].number == 2


def test_without_votes_the_words_of_the_release_count_and_without_any_a_few() -> None:
    assert limits_by_code([_row("worry", snippets=[12]) for _ in range(5)])["worry"].longest == 12
    assert limits_by_code([_row("worry")]) == {"worry": WITHOUT_RELEASE}


def test_two_marked_sentences_stay_two() -> None:
    text = "I feel lost. What now?"
    marks = (Mark(0, 12, 0.9), Mark(13, 22, 0.8))
    assert sized_marks(text, marks, HighlightLimits(3, 1, 100)) == marks
    assert sized_marks(text, [Mark(0, 6, 0.9), Mark(7, 12, 0.8)], HighlightLimits(3, 1, 100)) == (
        Mark(0, 12, 0.9),
    )


_TEXT = "I feel lost. Nobody asks me how it was, and I would so much like to tell! What would you do?"


@settings(max_examples=examples(100), deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, len(_TEXT) - 1), st.integers(1, len(_TEXT)), st.floats(0, 1)), max_size=30
    ),
    st.integers(1, 4),
    st.integers(1, 40),
)
def test_never_more_or_longer_than_people_mark_and_never_none(
    drawn: list[tuple[int, int, float]], number: int, longest: int
) -> None:
    marks = [Mark(start, min(start + length, len(_TEXT)), score) for start, length, score in drawn]
    found = sized_marks(_TEXT, marks, HighlightLimits(number, 1, longest))
    assert len(found) <= number and bool(found) == bool(marks)
    assert all(0 < mark.length <= longest for mark in found)
    assert all(first.end <= second.start for first, second in itertools.pairwise(found))
