"""Labels from outside come as tables that people make, and what is wrong in them is named by its line."""

from __future__ import annotations

import pytest

from codebook.shipped import load_shipped
from corpus.delimited import TableUnreadable
from learning.alternative_annotator.columns import read_label_columns


def read(text: str, codebook: str = "epitome") -> dict[str, dict[str, int]]:
    found = read_label_columns(text.encode(), load_shipped(codebook), name="GPT")
    return {each.item_id: {code.code_id: code.value for code in each.codes} for each in found}


def test_columns_are_found_by_id_or_name_in_any_order() -> None:
    text = "comment,Explorations,item_id,emotional-reactions\nx,Weak,a1,2.0\n,,a2,none\n"
    assert read(text) == {
        "a1": {"emotional-reactions": 2, "explorations": 1},
        "a2": {"emotional-reactions": 0},
    }


def test_yes_and_no_are_written_in_several_ways() -> None:
    code = "asking-advice"
    text = f"id;{code}\na;yes\nb;0\nc;TRUE\nd;\n"
    assert read(text, "empathy-practices") == {"a": {code: 1}, "b": {code: 0}, "c": {code: 1}}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("who,explorations\na,1\n", "No column names the items"),
        ("id,kindness\na,1\n", r"No column is called as a theme of the codebook \(emotional-reactions"),
        ("id,explorations\na,1\nb,3\n", r"Line 3: “3” is no label of explorations; it can be 0, 1, 2"),
        ("id,explorations\na,much\n", "Line 2: “much” is no label"),
        ("id,explorations\na,1\na,1\n", "Line 3: item a is there twice"),
        ("id,explorations\n,1\n", "Line 2: the item is missing"),
        ("id,explorations\na,\n", "no labels"),
    ],
)
def test_what_is_wrong_is_named(text: str, problem: str) -> None:
    with pytest.raises(TableUnreadable, match=problem):
        read(text)
