"""Packs hold every window once, pad little, and say where each text's own positions are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codebook.schema import Part
from ml_backend.encoder.packing import PASS_COSTS, WINDOWS_AT_ONCE, cuts, pack_windows
from ml_backend.encoder.plan import View
from ml_backend.encoder.windows import Cutter, Tokens

PAD = 0
REPLY, POST = View(Part.REPLY), View(Part.POST)
lengths = st.lists(st.integers(0, 150), min_size=1, max_size=12)


@given(replies=lengths, posts=lengths)
def test_what_is_kept_of_each_text_is_the_text(replies: list[int], posts: list[int]) -> None:
    cutter = Cutter(start=1, separator=2, max_tokens=40, overlap=8)
    texts = {
        view: [
            cutter.windows(
                Tokens(tuple(range(first + 1000 * n, first + 1000 * n + length)), ((0, 1),) * length)
            )
            for n, length in enumerate(several)
        ]
        for view, several, first in ((REPLY, replies, 100), (POST, posts, 500_000))
    }
    together = pack_windows(texts, PAD)
    flat = [each for pack in together.packs for each in pack.ids.flatten().tolist()]
    for view, several, first in ((REPLY, replies, 100), (POST, posts, 500_000)):
        kept = together.kept[view]
        for n, length in enumerate(several):
            own = [flat[at] for at in kept.places[n][kept.is_kept[n]].tolist()]
            assert own == [1, *range(first + 1000 * n, first + 1000 * n + length)]
    for pack in together.packs:
        assert [int(n) for n in pack.is_token.sum(dim=1)] == [len(window.ids) for window in pack.windows]
        assert (pack.ids[~pack.is_token] == PAD).all()


@given(st.lists(st.integers(1, 256), min_size=1, max_size=300).map(sorted))
def test_no_cut_at_all_is_never_cheaper(found: list[int]) -> None:
    parts = cuts(found)
    assert [at for first, last in parts for at in range(first, last)] == list(range(len(found)))
    assert all(last - first <= WINDOWS_AT_ONCE for first, last in parts)
    cost = sum((last - first) * found[last - 1] + PASS_COSTS for first, last in parts)
    whole = [(at, min(at + WINDOWS_AT_ONCE, len(found))) for at in range(0, len(found), WINDOWS_AT_ONCE)]
    assert cost <= sum((last - first) * found[last - 1] + PASS_COSTS for first, last in whole)
