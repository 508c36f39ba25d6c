"""Batches find the items with gold; pages find what is without, or under an earlier edition."""

from __future__ import annotations

import pytest

from backend.annotate.batches.candidates import golden_items
from backend.design.codebooks.errors import NoCodebook
from backend.design.codebooks.selectors import edition_in_force
from tests.backend.annotate.practice.fixtures import add_codebook, add_gold, add_item
from tests.backend.annotate.practice.reading import gold_of, reasons_of
from tests.cast import Cast


def test_only_items_of_the_study_and_the_edition_are_found(cast: Cast) -> None:
    edition = add_codebook(cast)
    second, first, without = (add_item(cast, f"item-{number}") for number in (2, 1, 3))
    for item in (second, first):
        add_gold(cast, item, edition)
    assert list(golden_items(cast.study, edition)) == [first, second]
    assert not golden_items(cast.other_study, edition).exists()
    assert gold_of(without, edition) is None
    assert reasons_of(without, edition) is None


def test_without_a_codebook_there_is_no_gold(cast: Cast) -> None:
    with pytest.raises(NoCodebook):
        edition_in_force(cast.study)
