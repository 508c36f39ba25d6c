"""Which items decide."""

from __future__ import annotations

from pathlib import Path

from annotation.gate.findings import LeftOut
from annotation.gate.items import deciding_items
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
