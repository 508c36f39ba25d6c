"""Cut passages are the text, and each knows the codes above it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from backend.core.web.passages import Highlight, cut_into_passages

TEXTS = st.text(alphabet="ab \n👩‍👧שלום", max_size=30)
HIGHLIGHTS = st.lists(
    st.builds(
        lambda start, length, code: Highlight(start, start + length, code),
        st.integers(0, 35),
        st.integers(1, 10),
        st.sampled_from(["x", "y", "z"]),
    ),
    max_size=6,
)


@given(TEXTS, HIGHLIGHTS)
def test_every_character_keeps_its_place_and_its_codes(text: str, highlights: list[Highlight]) -> None:
    passages = cut_into_passages(text, highlights)
    assert "".join(passage.text for passage in passages) == text
    under = [set(passage.code_ids) for passage in passages for _ in passage.text]
    assert under == [
        {mark.code_id for mark in highlights if mark.start <= place < mark.end} for place in range(len(text))
    ]
    assert all(passage.text for passage in passages)
    assert all(len(set(passage.code_ids)) == len(passage.code_ids) for passage in passages)


def test_code_points_count_and_not_bytes() -> None:
    marked = [
        passage for passage in cut_into_passages("👍 שלום!", [Highlight(2, 6, "x")]) if passage.code_ids
    ]
    assert [passage.text for passage in marked] == ["שלום"]


def test_nothing_to_cut() -> None:
    assert cut_into_passages("", [Highlight(0, 3, "x")]) == ()
