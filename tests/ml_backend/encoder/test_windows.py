"""Windows lose nothing of a text, and say what they lose of a context."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ml_backend.encoder.windows import NOWHERE, Cutter, TextWindows, Tokens

START, SEPARATOR = 1, 2


def tokens(n: int, first: int = 100) -> Tokens:
    return Tokens(tuple(range(first, first + n)), tuple((at, at + 1) for at in range(n)))


def kept_ids(found: TextWindows) -> list[int]:
    return [window.ids[at] for window in found.windows for at in window.kept]


@given(
    n=st.integers(0, 400),
    n_context=st.none() | st.integers(0, 300),
    max_tokens=st.integers(16, 90),
    overlap=st.integers(0, 100),
)
def test_every_token_is_kept_once_and_in_order(
    n: int, n_context: int | None, max_tokens: int, overlap: int
) -> None:
    context = None if n_context is None else tokens(n_context, first=10_000)
    found = Cutter(START, SEPARATOR, max_tokens, overlap).windows(tokens(n), context)
    sign = START if context is None else SEPARATOR
    assert kept_ids(found) == [sign, *range(100, 100 + n)]
    assert found.places == (NOWHERE, *((at, at + 1) for at in range(n)))
    assert all(len(window.ids) == len(window.types) <= max_tokens for window in found.windows)
    read = sum(10_000 <= each < 20_000 for each in found.windows[0].ids)
    assert found.n_truncated == (n_context or 0) - read


def test_a_short_text_leaves_its_room_to_the_context() -> None:
    found = Cutter(START, SEPARATOR, 32, 8).windows(tokens(4), tokens(25, first=10_000))
    assert (len(found.windows), found.n_truncated) == (1, 0)
