"""An item that somebody judged with a model's suggestion in view teaches, and measures nothing."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from annotation.release.rows import ReleaseRow, SplitPart
from annotation.release.training_table import training_frame
from learning.promotion.findings import LeftOut
from learning.promotion.items import deciding_items
from learning.scoring.cases import NotMeasurable
from learning.scoring.compare import compare
from learning.scoring.evaluate import evaluate
from learning.scoring.files import decode_evaluation, encode
from tests.annotation.release.fixtures import small_release
from tests.learning.scoring.gold_fixtures import EPITOME, random_study


def _suggested(rows: list[ReleaseRow], n: int) -> list[ReleaseRow]:
    """The first ones."""
    touched = [replace(row, item=replace(row.item, suggested_by=("adapter-1",))) for row in rows[:n]]
    return [*touched, *rows[n:]]


def test_such_items_are_left_out_and_counted() -> None:
    rows, predictions = random_study(EPITOME, n=40, seed=1)
    found = evaluate(
        _suggested(rows, 15), predictions, EPITOME, part_of_split=SplitPart.TEST, resamples=0, seed=1
    )
    alone = evaluate(rows[15:], predictions, EPITOME, part_of_split=SplitPart.TEST, resamples=0, seed=1)
    assert (found.n_items, found.n_suggested) == (25, 15)
    assert found.codes == alone.codes and found.gold_hash == alone.gold_hash
    assert decode_evaluation(encode(found)) == found


def test_two_models_are_compared_without_them() -> None:
    rows, first = random_study(EPITOME, n=40, seed=1)
    _, second = random_study(EPITOME, n=40, seed=2)
    asked = {"part_of_split": SplitPart.TEST, "resamples": 0, "seed": 1}
    found = compare(_suggested(rows, 10), first, second, EPITOME, **asked)  # type: ignore[arg-type]
    assert found.n_items == 30
    deciding = deciding_items(_suggested(rows, 10), seen_by_candidate=[], seen_by_opponent=[])
    assert deciding.left_out == LeftOut(suggested=10) and len(deciding.rows) == 30


def test_where_nothing_is_left_it_says_what_to_do() -> None:
    rows, predictions = random_study(EPITOME, n=5, seed=1)
    with pytest.raises(NotMeasurable, match="have blind items judged"):
        evaluate(_suggested(rows, 5), predictions, EPITOME, part_of_split=None, resamples=0, seed=1)


def test_older_releases_are_read_as_never_suggested() -> None:
    rows, _ = random_study(EPITOME, n=1, seed=1)
    older = msgspec.to_builtins(rows[0])
    del older["item"]["suggested_by"]
    assert msgspec.convert(older, ReleaseRow, strict=False) == rows[0]


def test_the_table_and_the_card_name_them() -> None:
    release = small_release()
    rows = _suggested(list(release.rows), 3)
    frame = training_frame(rows, release.codebook)
    assert frame["suggested_by"].to_list()[:4] == [["adapter-1"]] * 3 + [[]]
    said = replace(release, facts=replace(release.facts, n_suggested=3)).card()
    assert "3 items somebody judged with a model's suggestion in view" in said
    assert "suggestion in view" not in release.card()
    by_hand = "The model, “First”, was put in service by hand."
    facts = replace(release.facts, n_suggested=3, suggesting=(by_hand,))
    assert by_hand in replace(release, facts=facts).card()
