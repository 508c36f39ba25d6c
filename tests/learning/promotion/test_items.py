"""Which items decide."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from annotation.release.read import read_release
from annotation.release.rows import DrawFact, ReleaseRow, SplitPart
from codebook.shipped import load_shipped
from learning.promotion.findings import LeftOut
from learning.promotion.items import blind_items, deciding_items
from tests.ml_backend.fixtures import made_release


def test_items_that_a_model_has_seen_or_a_suggestion_has_touched_decide_nothing(tmp_path: Path) -> None:
    rows = read_release(made_release(tmp_path / "r", load_shipped("epitome"))).rows
    test = [row.item.item_id for row in rows if row.split is SplitPart.TEST]
    found = deciding_items(
        rows, seen_by_candidate=[], seen_by_opponent=[test[0], test[1]], suggested=[test[1], test[2]]
    )
    assert [row.item.item_id for row in found.rows] == test[3:]
    assert found.left_out == LeftOut(seen_by_opponent=2, suggested=1)
    assert found.left_out.total == 3


def test_blind_items_join_unless_a_model_has_seen_them_or_their_post(tmp_path: Path) -> None:
    rows = list(read_release(made_release(tmp_path / "r", load_shipped("epitome"))).rows)
    first, second, third, fourth, fifth, sixth = (row.item.item_id for row in rows[:6])
    # The second is another reply to the first one's post, and the fifth was suggested.
    rows[1] = replace(rows[1], item=replace(rows[1].item, post_id=rows[0].item.post_id))
    rows[4] = replace(rows[4], item=replace(rows[4].item, suggested_by=("x",)))
    blind = [first, second, third, fifth, sixth]
    found = blind_items(rows, blind=blind, seen=[first], tested=[sixth])
    assert [row.item.item_id for row in found.rows] == [third]
    assert {row.split for row in found.rows} == {SplitPart.TEST}
    # What was learned from in another release counts by its post too.
    known = replace(rows[3], item=replace(rows[3].item, post_id=rows[2].item.post_id))
    assert blind_items(rows, blind=blind, seen=[first, fourth], elsewhere=[known], tested=[sixth]).rows == ()


def drawn(row: ReleaseRow, batch: str = "", stream: str = "") -> ReleaseRow:
    return replace(row, item=replace(row.item, draws=(DrawFact("Pool", 0.5, 0.5, 1.0, batch, stream),)))


def test_what_a_strategy_chose_decides_nothing_and_what_chance_brought_does(tmp_path: Path) -> None:
    rows = read_release(made_release(tmp_path / "r", load_shipped("epitome"))).rows
    test = [row for row in rows if row.split is SplitPart.TEST]
    chosen, by_chance, of_sample, of_old = (
        drawn(test[0], "Chosen 1", "strategy"),
        drawn(test[1], "Chosen 1", "random"),
        drawn(test[2]),
        drawn(test[3], "Chosen 0"),
    )
    given = [chosen, by_chance, of_sample, of_old]
    found = deciding_items(given, seen_by_candidate=[], seen_by_opponent=[])
    assert found.rows == (by_chance, of_sample)
    assert found.left_out == LeftOut(chosen=2) and found.left_out.total == 2
    blind = [row.item.item_id for row in given]
    joined = blind_items(given, blind=blind, seen=[], tested=[blind[3]])
    assert (joined.rows, joined.left_out) == ((by_chance, of_sample), LeftOut(chosen=1))


def test_an_item_whose_post_a_model_has_seen_decides_nothing(tmp_path: Path) -> None:
    rows = list(read_release(made_release(tmp_path / "r", load_shipped("epitome"))).rows)
    known = next(row for row in rows if row.split is SplitPart.TRAIN)
    at = next(at for at, row in enumerate(rows) if row.split is SplitPart.TEST)
    rows[at] = replace(rows[at], item=replace(rows[at].item, post_id=known.item.post_id))
    for seen in ({"seen_by_opponent": [known.item.item_id]}, {"seen_by_candidate": [known.item.item_id]}):
        found = deciding_items(rows, **{"seen_by_candidate": [], "seen_by_opponent": [], **seen})
        assert rows[at] not in found.rows
        assert found.left_out == LeftOut(seen_post=1)
