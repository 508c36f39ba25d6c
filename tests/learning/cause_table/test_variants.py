"""Which rows the table has, and what names a cell."""

from __future__ import annotations

from pathlib import Path

import pytest

from learning.cause_table.cells import CellUnreadable, cells_of
from learning.cause_table.variants import UnknownVariant, choose_variants
from learning.learners.registry import learner_spec


def test_every_option_of_a_variant_is_one_of_its_learner() -> None:
    for variant in choose_variants(prompt_backbone="a-model"):
        spec = learner_spec(variant.learner)
        assert set(variant.options) <= {"input", *(option.name for option in spec.options)}


def test_variants_that_prompt_are_there_only_with_a_model() -> None:
    named = {each.name: each for each in choose_variants(prompt_backbone="a-model")}
    assert named["qa"].options["backbone"] == "a-model" and named["qa"].options["by_sentence"]
    assert {"prompt", "qa"}.isdisjoint(each.name for each in choose_variants())
    with pytest.raises(UnknownVariant, match="There is no variant 'qa': choose from default, no-attention"):
        choose_variants(("qa",))


def test_options_go_to_every_variant_of_co_attention_and_its_own_come_first() -> None:
    found = choose_variants(of_co_attention={"backbone": "mpnet", "attention": True})
    options = {each.name: each.options for each in found}
    assert options["focal"]["backbone"] == "mpnet" and "backbone" not in options["positions"]
    assert options["simple"]["attention"] is False


def test_another_release_seed_or_option_has_a_cell_of_its_own(tmp_path: Path) -> None:
    first = cells_of(tmp_path, "aa", choose_variants(("focal",)), 2)
    other_release = cells_of(tmp_path, "bb", choose_variants(("focal",)), 2)
    other_option = cells_of(tmp_path, "aa", choose_variants(("focal",), of_co_attention={"gamma": 1.0}), 2)
    paths = {cell.path for cell in (*first, *other_release, *other_option)}
    assert len(paths) == 6 and [str(cell) for cell in first] == [
        "Binary focal loss, seed 1",
        "Binary focal loss, seed 2",
    ]
    first[0].keep(b"broken")
    assert first[0].is_done and not first[1].is_done
    with pytest.raises(CellUnreadable, match="Delete it if it is there"):
        first[0].read()
