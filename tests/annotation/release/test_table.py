"""The table of the split, in all its forms; and cells that a spreadsheet would run."""

from __future__ import annotations

import csv
from dataclasses import replace
from io import StringIO

from annotation.release.card_blocks import to_markdown
from annotation.release.compare import compare_releases
from annotation.release.label_tables import labels_csv
from annotation.release.split_table import split_table, table_block, table_csv, table_latex
from corpus.delimited import safe_cell
from tests.annotation.release.fixtures import (
    EPITOME,
    PRACTICES,
    RATINGS,
    judged,
    release_of,
    said,
    small_release,
)


def test_every_theme_is_counted_in_each_part() -> None:
    table = small_release().table()
    advice = table.rows[0]
    assert advice.total.n == sum(cell.n for cell in advice.cells) == 5
    assert advice.total.share == 0.25
    assert all(cell.n > 0 for cell in advice.cells)
    assert table.items[-1] == sum(table.items[:-1]) == 20
    assert table.posts[-1] == sum(table.posts[:-1]) == 10


def test_levels_and_scales_are_counted_value_by_value() -> None:
    codes = [code.id for _, code in EPITOME.coded_questions()]
    items = [judged(f"i{n}", {"a": said(dict.fromkeys(codes, n % 3))}, codebook=EPITOME) for n in range(6)]
    rows = release_of(items, EPITOME).rows
    assert [row.total.n for row in split_table(rows, EPITOME).rows] == [2] * 6
    rated = [code.id for _, code in RATINGS.coded_questions()]
    rating = judged("i", {"a": said(dict.fromkeys(rated, 4))}, codebook=RATINGS)
    table = split_table(release_of([rating], RATINGS).rows, RATINGS)
    assert sum(row.total.n for row in table.rows) == len(rated)


def test_the_forms_say_the_same() -> None:
    table = small_release().table()
    rows = list(csv.DictReader(StringIO(table_csv(table))))
    assert (rows[0]["code"], rows[0]["all_n"], rows[0]["all_share"]) == ("asking-advice", "5", "0.250000")
    assert "| 5 (25.0%) |" in to_markdown([table_block(table)])
    assert r"5 (25.0\%) \\" in table_latex(table)


def test_no_cell_runs_in_a_spreadsheet() -> None:
    evil = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"]
    assert [safe_cell(cell) for cell in evil] == [f"'{cell}" for cell in evil]
    release = small_release(n=1)
    row = release.rows[0]
    rows = [replace(row, item=replace(row.item, item_id='=HYPERLINK("http://evil")'))]
    lines = list(csv.reader(StringIO("".join(labels_csv(rows, PRACTICES)))))
    assert {line[0] for line in lines[1:]} == {'\'=HYPERLINK("http://evil")'}


def test_a_comparison_names_every_change() -> None:
    old, new = small_release(n=4).rows, small_release(n=6).rows
    changed = replace(new[0].labels[0], value=0)
    rows = [replace(new[0], labels=(changed, *new[0].labels[1:])), *new[1:]]
    found = compare_releases(old, rows)
    assert (found.n_common, found.only_old, found.only_new) == (4, (), ("item-004", "item-005"))
    assert [(change.item_id, change.old.value, change.new.value) for change in found.changed] == [
        ("item-000", 1, 0)
    ]
    assert found.by_code[0] == ("asking-advice", 1, 4)
