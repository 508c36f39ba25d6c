"""What commands say of their work."""

from __future__ import annotations

from codebook.shipped import load_shipped
from learning.predictions.rows import ItemPrediction
from ml_backend.commands import report_left_out
from tests.ml_backend.fixtures import examples


def test_whatever_was_cut_is_told_without_saying_that_it_was_the_context() -> None:
    told: list[str] = []
    given = examples(load_shipped("epitome"), 4)
    predictions = [
        ItemPrediction(each.item_id, (), "a", n) for each, n in zip(given[:3], (0, 3, 9), strict=True)
    ]
    report_left_out(given, predictions, told.append)
    assert told == [
        "Left out: 1 items without a part that the adapter judges",
        "Not all was read of 2 items, context cut first; the file says of which and how many tokens",
    ]
