"""A codebook for tables that have labels and none: classes, ratings, ticks and marked sentences."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from annotation.release.labelled_table import read_labelled_tables
from annotation.release.release_from_table import release_from_tables
from annotation.release.table_codebook import ColumnWithoutAnswers, TooManyAnswers, codebook_of_table
from annotation.release.table_columns import TableShape
from annotation.release.table_items import LabelColumn, ReadTables, TextColumns
from codebook.schema import AnswerKind, Codebook, Part
from tests.annotation.release.test_release_from_table import NOW, REQUEST, table

HEAD = "group,item,context,text,care,kind,mood,ask,note"
ROWS = [
    ["g1", "1", "I fell.", "Poor you", "5.667", "warm", "1", "0", "a"],
    ["g1", "2", "", "Take ice", "1.5", "cold", "2", "1", "b"],
    ["g2", "3", "It rains.", "So it does", "2", "", "0", "1", "c"],
]
LABELS = ("care", "kind", "mood", "ask")


def read(path: Path, names: Sequence[str] = LABELS) -> tuple[Codebook, ReadTables]:
    shape = TableShape(path)
    part = shape.judged_part()
    texts = shape.text_columns(TextColumns(None), part)
    codebook, columns = codebook_of_table(shape, names, part=part)
    found = [LabelColumn(code, path, column) for code, column in columns.items()]
    return codebook, read_labelled_tables(codebook, texts, shape.label_columns(codebook, found))


def test_each_column_becomes_a_code_of_its_kind(tmp_path: Path) -> None:
    codebook, tables = read(table(tmp_path / "talks.csv", ROWS, HEAD))
    kinds = {code.id: question.answer for question, code in codebook.coded_questions()}
    assert kinds == {
        "care": AnswerKind.SCALE,
        "kind": AnswerKind.LEVELS,
        "mood": AnswerKind.LEVELS,
        "ask": AnswerKind.TICK,
    }
    levels = {
        question.codes[0].id: [level.label for level in question.levels] for question in codebook.questions
    }
    assert levels["care"] == ["1", "2", "3", "4", "5", "6"] and levels["kind"] == ["cold", "warm"]
    assert {question.part for question in codebook.questions} == {Part.REPLY}
    release = release_from_tables(tables, codebook, REQUEST, now=NOW)
    values = {row.item.item_id: [label.value for label in row.labels] for row in release.rows}
    assert values == {"1": [6, 1, 1, 0], "2": [2, 0, 2, 1], "3": [2, None, 0, 1]}
    assert tables.n_rounded == 2, "1.5 goes to the even step"


def test_a_context_that_is_empty_throughout_makes_the_text_a_post(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", [[*row[:2], "", *row[3:]] for row in ROWS], HEAD)
    codebook, tables = read(path)
    assert {question.part for question in codebook.questions} == {Part.POST}
    assert {(item.post, item.reply) for item in tables.items.values()} == {(row[3], None) for row in ROWS}


def test_whole_numbers_are_ratings_where_one_says_so(tmp_path: Path) -> None:
    shape = TableShape(table(tmp_path / "t.csv", ROWS, HEAD))
    codebook, _ = codebook_of_table(shape, ["mood"], part=Part.REPLY, ratings=frozenset({"mood"}))
    (question,) = codebook.questions
    assert question.answer is AnswerKind.SCALE and not any(level.absent for level in question.levels)


def test_what_has_too_many_answers_is_refused_or_left_out(tmp_path: Path) -> None:
    rows = [[str(n), f"word {n}", f"{n / 2}", str(n % 9), str(n % 10), "1"] for n in range(30)]
    shape = TableShape(table(tmp_path / "t.csv", rows, "text,word,far,some,more,same"))
    with pytest.raises(ColumnWithoutAnswers, match="'word': it has 30 different values"):
        codebook_of_table(shape, ["word"], part=Part.POST)
    with pytest.raises(ColumnWithoutAnswers, match="'far': its numbers go from 0 to 15"):
        codebook_of_table(shape, ["far"], part=Part.POST)
    codebook, columns = codebook_of_table(
        shape, ["word", "far", "some", "same"], part=Part.POST, leave_out=True
    )
    assert columns == {"some": "some", "same": "same"} and len(codebook.questions) == 2
    with pytest.raises(ColumnWithoutAnswers, match="none has few enough"):
        codebook_of_table(shape, ["word"], part=Part.POST, leave_out=True)
    columns_of_levels = ["some", "more"]
    with pytest.raises(TooManyAnswers, match="more than 34 answers"):
        codebook_of_table(shape, columns_of_levels * 2, part=Part.POST)
