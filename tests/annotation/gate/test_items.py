"""Which items decide."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from annotation.gate.findings import LeftOut
from annotation.gate.items import blind_rows, deciding_items
from annotation.release.read import read_release
from annotation.release.rows import SplitPart
from codebook.shipped import load_shipped
from tests.ml_backend.scene import made_release


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
    found = blind_rows(rows, blind=blind, seen=[first], deciding=[sixth])
    assert [row.item.item_id for row in found] == [third]
    assert {row.split for row in found} == {SplitPart.TEST}
    # What was learned from in another release counts by its post too.
    known = replace(rows[3], item=replace(rows[3].item, post_id=rows[2].item.post_id))
    assert blind_rows(rows, blind=blind, seen=[first, fourth], elsewhere=[known], deciding=[sixth]) == ()
