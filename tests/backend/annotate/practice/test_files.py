"""Files are read entry by entry; whatever is wrong is told with its line, all at once."""

from __future__ import annotations

import json

import pytest

from backend.annotate.practice.entries import CodeEntry
from backend.annotate.practice.errors import GoldFileRefused
from backend.annotate.practice.files import MAX_BYTES, GoldFile, read_gold_file

SOUND = """\
# A comment
00e1:
  remark: Read it twice.
  codes:
    asking-advice: {ticked: true, quotes: ["no", 'yes: maybe'], why: It asks.}
    level: {value: 2}
item-2: {}
"""


def problems(source: str, file_name: str = "gold.yaml") -> list[tuple[int, str]]:
    return [(found.line, found.message) for found in read_gold_file(source, file_name=file_name).problems]


def test_yaml_is_read_as_it_is_written() -> None:
    """An id of digits and an e is no number, and a quote that reads no is no falsehood."""
    file = read_gold_file(SOUND, file_name="gold.yaml")
    assert file.problems == ()
    assert [(entry.line, entry.item_id) for entry in file.entries] == [(2, "00e1"), (7, "item-2")]
    assert file.entries[0].entry.remark == "Read it twice."
    assert file.entries[0].entry.codes["asking-advice"] == CodeEntry(
        ticked=True, quotes=("no", "yes: maybe"), why="It asks."
    )
    assert file.entries[0].entry.codes["level"] == CodeEntry(value=2)


def test_json_lines_say_the_same() -> None:
    codes = {"asking-advice": {"ticked": True, "quotes": ["😀"], "why": "It asks."}}
    lines = ["", json.dumps({"item": "00e1", "codes": codes, "remark": "Read it twice."})]
    file = read_gold_file("\ufeff" + "\n".join(lines), file_name="GOLD.JSONL")
    assert file.problems == ()
    assert file.entries[0].line == 2
    assert file.entries[0].entry.codes["asking-advice"].quotes == ("😀",)


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        ("a: }", 1, "not valid YAML"),
        ("- item: a", 1, "start each entry with an item's id"),
        ("a: {}\nb:\n  codes: {x: {quote: y}}", 2, "codes → x → quote"),
        ("a: {codes: {x: {value: many}}}", 1, "codes → x → value"),
        ("a: {codes: {x: {ticked: perhaps}}}", 1, "codes → x → ticked"),
        ("a: nothing", 1, "dictionary"),
        ("a: {}\n\na: {}", 3, "stands in line 1 already"),
        ("a:\n  codes:\n    x: {}\n    x: {}", 4, "`x` appears twice"),
        ("a: &x {}\nb: *x", 1, "anchor"),
        ("", 1, "no entry"),
    ],
)
def test_what_is_wrong_in_yaml(source: str, line: int, words: str) -> None:
    found = problems(source)
    assert [number for number, _ in found] == [line]
    assert words in found[0][1]


def test_what_is_wrong_in_json_lines() -> None:
    found = problems('{"item": "a"}\n{"item"\n[1]\n{"codes": {}}\n{"item": "a"}\n', "gold.jsonl")
    assert [line for line, _ in found] == [2, 3, 4, 5]
    assert "item" in found[2][1]


def test_all_shapes_are_complained_of_at_once() -> None:
    found = problems("a: {codes: {x: {value: v, ticked: perhaps}}}\nb: {remarks: x}")
    assert [line for line, _ in found] == [1, 1, 2]


def test_deep_nesting_and_huge_files_are_refused() -> None:
    assert "nesting" in problems("a: " + "[" * 50 + "]" * 50)[0][1]
    assert [line for line, _ in problems("[" * 100_000, "gold.jsonl")] == [1]
    with pytest.raises(GoldFileRefused, match="split it"):
        read_gold_file("x" * (MAX_BYTES + 1), file_name="gold.yaml")


@pytest.mark.parametrize("name", ["gold", "gold.csv", "gold.json"])
def test_the_ending_decides(name: str) -> None:
    with pytest.raises(GoldFileRefused, match="ending"):
        read_gold_file("a: {}", file_name=name)


def test_nothing_is_lost_of_what_could_be_read() -> None:
    file = read_gold_file("a: {}\nb: 1", file_name="gold.yml")
    assert isinstance(file, GoldFile)
    assert [entry.item_id for entry in file.entries] == ["a"]
    assert [problem.item for problem in file.problems] == ["b"]
