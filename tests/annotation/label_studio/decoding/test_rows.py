"""Rows become typed values or a named error, whatever Label Studio sends."""

import pytest

from annotation.label_studio.decoding.rows import (
    ChoicesRow,
    ForeignRowType,
    LabelsRow,
    TextRow,
    UnreadableRow,
    read_row,
)

PLACE = {"from_name": "a", "to_name": "post"}


def labels(value: dict[str, object]) -> LabelsRow:
    row = read_row({**PLACE, "type": "labels", "value": value})
    assert isinstance(row, LabelsRow)
    return row


def comment(text: object) -> str:
    row = read_row({**PLACE, "type": "textarea", "value": {"text": text}})
    assert isinstance(row, TextRow)
    return row.text


def test_choices_are_read_and_what_else_stands_there_is_ignored() -> None:
    row = read_row(
        {**PLACE, "type": "choices", "id": "x1", "origin": "manual", "value": {"choices": ["b", "a", "b"]}}
    )
    assert isinstance(row, ChoicesRow)
    assert (row.from_name, row.to_name, row.chosen) == ("a", "post", frozenset("ab"))


def test_offsets_are_whole_numbers_or_nothing() -> None:
    assert labels({"labels": ["x"], "start": 0, "end": 10**30}).offsets == (0, 10**30)
    for start in (True, 4.0, "4", None, [4]):
        assert labels({"labels": ["x"], "start": start, "end": 9}).offsets is None
        assert labels({"labels": ["x"], "start": 1, "end": start}).offsets is None
    assert labels({"labels": ["x"]}).offsets is None


def test_a_highlight_without_labels_is_read_as_such() -> None:
    assert labels({"start": 0, "end": 1}).value.labels == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ([" why? ", "and how "], "why? \nand how"),
        ("why?", "why?"),
        ([], ""),
        (["a\x00b"], "a\ufffdb"),
        (["\ud83d\ude00 \ud800"], "😀 \ufffd"),
    ],
)
def test_a_comment_is_one_text_that_can_be_stored(text: object, expected: str) -> None:
    assert comment(text) == expected
    assert comment(text).encode() == expected.encode()


@pytest.mark.parametrize(
    "raw",
    [
        None,
        1,
        "row",
        "\ud800",
        {"\ud800": 1},
        [],
        {},
        {**PLACE, "type": 3, "value": {"choices": []}},
        {**PLACE, "type": "choices"},
        {**PLACE, "type": "choices", "value": ["a"]},
        {**PLACE, "type": "choices", "value": {"choices": "a"}},
        {**PLACE, "type": "choices", "value": {"choices": [1]}},
        {**PLACE, "type": "labels", "value": {"labels": [None]}},
        {"type": "choices", "to_name": "post", "value": {"choices": []}},
        {"type": "choices", "from_name": "a", "to_name": None, "value": {"choices": []}},
    ],
)
def test_malformed_rows_are_unreadable(raw: object) -> None:
    with pytest.raises(UnreadableRow):
        read_row(raw)


def test_rows_that_we_never_ask_for_are_foreign() -> None:
    with pytest.raises(ForeignRowType, match="relation") as error:
        read_row({"type": "relation", "from_id": "a", "to_id": "b"})
    assert error.value.row_type == "relation"


def test_deep_nesting_is_no_offset() -> None:
    nested: list[object] = []
    for _ in range(50_000):
        nested = [nested]
    assert labels({"labels": ["x"], "start": nested, "end": 1}).offsets is None
