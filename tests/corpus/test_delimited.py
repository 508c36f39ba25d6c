"""Tables are read as people save them, and errors name the line."""

from __future__ import annotations

import pytest

from corpus.delimited import TableUnreadable, read_delimited


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_whatever_a_spreadsheet_writes_is_the_same_table(delimiter: str, ending: str, encoding: str) -> None:
    lines = [["item", "label"], ["1", " café "], ["2", f'"a{delimiter}b"']]
    table = read_delimited(ending.join(delimiter.join(line) for line in lines).encode(encoding))
    assert table.header == ("item", "label")
    assert [row.cells for row in table.rows] == [("1", "café"), ("2", f"a{delimiter}b")]


def test_lines_are_counted_with_blank_ones_and_line_breaks_in_cells() -> None:
    table = read_delimited(b'\nitem,label\n\n1,"two\nlines"\n,\n2,b\n')
    assert [(row.line, row.cells[0]) for row in table.rows] == [(4, "1"), (6, ""), (7, "2")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "The table is empty"),
        (b"\n \n", "The table is empty"),
        (b"item,label\n1,a\n2\n", "Line 3: 1 cells where the header has 2"),
        (b"item,label\n1,a,b\n", "Line 2: 3 cells"),
        (b"item,item\n1,a\n", "Line 1: the column “item” is there twice"),
        (b"item,label\n1,caf\xe9\n", "Line 2: not UTF-8"),
        (b'item,label\n1,a\n2,"b\n3,c\n', "Line 3: .*quotation marks"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_line(content: bytes, message: str) -> None:
    with pytest.raises(TableUnreadable, match=message):
        read_delimited(content)


@pytest.mark.parametrize("rating", ["1", "2,5"])
def test_commas_in_quoted_names_do_not_divide(rating: str) -> None:
    table = read_delimited(f'id;"Smith, J.";"Doe, A."\nx;{rating};{rating}\n'.encode())
    assert table.header == ("id", "Smith, J.", "Doe, A.")
    assert table.rows[0].cells == ("x", rating, rating)


def test_the_second_line_decides_where_the_first_does_not() -> None:
    assert read_delimited(b"item;rater, short\n1;Ada\n").header == ("item", "rater, short")
    assert read_delimited(b"item,rater; short\n1,Ada\n").header == ("item", "rater; short")
