"""Tables whose cells are lists: sentences in one column, a 0 or 1 for each of them in another."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.answers import Features, ItemText, SentenceList
from annotation.release.content_checks import row_problems
from annotation.release.files import write_release
from annotation.release.labelled_table import read_labelled_tables
from annotation.release.read import ReadRelease, read_release
from annotation.release.release_from_table import InSeveralParts, ItemInTwoTables, release_from_tables
from annotation.release.rows import ReleaseRow, SplitPart
from annotation.release.table_cells import join_sentences
from annotation.release.table_columns import ColumnUnsure, TableShape
from annotation.release.table_items import LabelColumn, MarksUnwanted, TextColumns
from codebook.schema import Part
from corpus.errors import WrongType
from tests.annotation.release.test_release_from_table import CAUSES, EPITOME, NOW, REQUEST, WARM, table
from tests.examples import examples

HEAD = "group,item,emotion,target,utterances,causes"
TALK = ["A: I lost it. Again!", "B: Oh no .", "A: They laughed ."]


def row(
    n: int, says: object = TALK, marks: object = (1, 0, 1), group: str = "", emotion: str = "sadness"
) -> list[object]:
    cells = [each if isinstance(each, str) else json.dumps(each) for each in (says, marks)]
    return [group or f"g{n}", f"i{n}", emotion, f"They laughed {n}", *cells]


def released(folder: Path, path: Path, more: dict[Path, SplitPart] | None = None) -> ReadRelease:
    shape = TableShape(path)
    columns = shape.label_columns(CAUSES, [])
    texts = shape.text_columns(TextColumns(None), Part.POST)
    tables = read_labelled_tables(CAUSES, texts, columns, parts=more)
    write_release(folder, release_from_tables(tables, CAUSES, REQUEST, now=NOW))
    return read_release(folder)


def marked(found: ReleaseRow) -> list[str]:
    assert found.item.texts
    post = found.item.texts.post
    return [post[each.start : each.end] for each in found.labels[0].evidence.snippets]


def test_lists_become_sentences_marks_speakers_and_features(tmp_path: Path) -> None:
    """Two sentences by rule are one where the table says so."""
    path = table(tmp_path / "talks.csv", [row(n) for n in range(5)], HEAD)
    found = released(tmp_path / "r", path).rows[0]
    texts = found.item.texts
    assert texts and texts.features and texts.post == "\n".join(TALK) and texts.reply == "They laughed 0"
    assert (found.item.item_id, found.item.post_id) == ("i0", "g0")
    assert marked(found) == [TALK[0], TALK[2]] and found.labels[0].value == 1
    own = texts.features.sentences[Part.POST]
    assert own.features == {"speaker": ("A", "B", "A")} and texts.features.of_item == {"emotion": "sadness"}
    item = ItemText("i0", "", texts.post, texts.reply, texts.features)
    assert len(item.sentences_of(Part.POST)) == 3 and len(item.sentences_of(Part.REPLY)) == 1
    assert len(replace(item, features=None).sentences_of(Part.POST)) == 4


def test_a_list_may_be_of_python_or_of_the_file_itself(tmp_path: Path) -> None:
    """pandas writes 'single' quotes into CSV files; JSONL and Parquet have real lists."""
    posts = [["It's me.", "Skin again"], ["He said “no”.", "Why?"]]
    csv = table(
        tmp_path / "a.csv", [[posts[0], "Poor you", [0, 1]], [posts[1], "Hm", [0, 0]]], "post,reply,labels"
    )
    records = [
        {"post": posts[0], "reply": "Poor you", "labels": [0, 1]},
        {"post": posts[1], "reply": "Hm", "labels": [0, 0]},
    ]
    (tmp_path / "b.jsonl").write_text("\n".join(map(json.dumps, records)))
    pl.DataFrame(records).write_parquet(tmp_path / "c.parquet")
    for at, path in enumerate((csv, tmp_path / "b.jsonl", tmp_path / "c.parquet")):
        rows = released(tmp_path / f"r{at}", path).rows
        assert sorted(map(marked, rows)) == [[], ["Skin again"]]
        assert {each.labels[0].value for each in rows} == {0, 1}


def test_a_name_before_a_colon_is_a_speaker_only_where_every_sentence_has_one(tmp_path: Path) -> None:
    rows = [row(1), row(2, ["Note: I fell.", "It hurt."], [0, 1])]
    for found in released(tmp_path / "r", table(tmp_path / "talks.csv", rows, HEAD)).rows:
        assert found.item.texts and found.item.texts.features
        assert found.item.texts.features.sentences[Part.POST].features == {}


def test_speakers_may_have_a_column_of_their_own(tmp_path: Path) -> None:
    rows = [[["I fell.", "Oh"], "Poor you", [1, 0], ["Ann", "Bo"]]]
    found = released(tmp_path / "r", table(tmp_path / "t.csv", rows, "sentences,reply,labels,speakers")).rows[
        0
    ]
    assert found.item.texts and found.item.texts.features
    assert found.item.texts.features.sentences[Part.POST].features == {"speaker": ("Ann", "Bo")}
    rows[0][3] = ["Ann"]
    with pytest.raises(
        WrongType, match="row 1, column 'speakers': the list has 1 speakers and the text 2 sentences"
    ):
        released(tmp_path / "s", table(tmp_path / "u.csv", rows, "sentences,reply,labels,speakers"))


@pytest.mark.parametrize(
    ("says", "marks", "problem"),
    [
        (TALK, [1, 0], "column 'causes': the list has 2 marks and the text 3 sentences"),
        (TALK, [1, 0, 2], "column 'causes': element 3 of the list is neither 0 nor 1"),
        (TALK, "[1, 0,", "column 'causes': the cell is not a list"),
        (TALK, "1", "column 'causes': the cell is not a list"),
        ('["A: I fell."', [1], "column 'utterances': the cell is not a list"),
        ('{"A": "I fell."}', [1], "column 'utterances': the cell is not a list"),
        (["A: I fell.", 3], [1, 0], "column 'utterances': element 2 of the list is no text"),
        (["A: I fell.", " "], [1, 0], "column 'utterances': element 2 of the list has no words"),
    ],
)
def test_a_list_that_is_wrong_is_named_with_its_row(
    tmp_path: Path, says: object, marks: object, problem: str
) -> None:
    path = table(tmp_path / "talks.csv", [row(1), row(2), row(3), row(4, says, marks)], HEAD)
    with pytest.raises(WrongType, match=f"row 4, {problem}"):
        released(tmp_path / "r", path)
    assert not (tmp_path / "r").exists()


def test_an_empty_cell_of_marks_is_no_label(tmp_path: Path) -> None:
    path = table(tmp_path / "talks.csv", [row(1), row(2, marks=""), row(3)], HEAD)
    assert [each.item.item_id for each in released(tmp_path / "r", path).rows] == ["i1", "i3"]


def test_tables_may_say_which_part_they_are(tmp_path: Path) -> None:
    first = table(tmp_path / "a.csv", [row(1), row(2)], HEAD)
    more = {
        table(tmp_path / "b.csv", [row(3)], HEAD): SplitPart.VALIDATION,
        table(tmp_path / "c.csv", [row(4)], HEAD): SplitPart.TEST,
    }
    found = released(tmp_path / "r", first, more)
    assert [each.split.value for each in found.rows] == ["train", "train", "validation", "test"]
    assert "say which item is in which part" in (tmp_path / "r" / "README.md").read_text()
    torn = {table(tmp_path / "d.csv", [row(5, group="g1")], HEAD): SplitPart.TEST}
    with pytest.raises(InSeveralParts, match="'g1' is in more than one part"):
        released(tmp_path / "s", first, torn)
    twice = {table(tmp_path / "e.csv", [row(1, group="g9")], HEAD): SplitPart.TEST}
    with pytest.raises(ItemInTwoTables, match="'i1' is in the tables of two parts"):
        released(tmp_path / "t", first, twice)


def test_a_column_may_say_which_part_a_row_is_in(tmp_path: Path) -> None:
    rows = [[*row(n), part] for n, part in enumerate(("train", "dev", "Test"))]
    found = released(tmp_path / "r", table(tmp_path / "a.csv", rows, f"{HEAD},split"))
    assert [each.split.value for each in found.rows] == ["train", "validation", "test"]
    rows[0][-1] = "third"
    with pytest.raises(WrongType, match="row 1, column 'split': 'third' is no part of a split"):
        released(tmp_path / "s", table(tmp_path / "b.csv", rows, f"{HEAD},split"))


def test_items_with_names_of_their_own_may_have_the_same_words(tmp_path: Path) -> None:
    rows = [[f"g{n}", f"i{n}", "sadness", "Oh", json.dumps(TALK), "[0, 0, 1]"] for n in range(3)]
    assert len(released(tmp_path / "r", table(tmp_path / "a.csv", rows, HEAD)).rows) == 3


def test_a_list_of_sentences_that_does_not_fit_is_a_problem_of_the_release(tmp_path: Path) -> None:
    found = released(tmp_path / "r", table(tmp_path / "a.csv", [row(1)], HEAD)).rows[0]
    assert found.item.texts and not row_problems([found], CAUSES)
    for wrong in (
        SentenceList(((0, 5), (4, 9))),
        SentenceList(((0, 500),)),
        SentenceList(((0, 5),), {"speaker": ("A", "B")}),
    ):
        texts = replace(found.item.texts, features=Features(sentences={Part.POST: wrong}))
        broken = replace(found, item=replace(found.item, texts=texts))
        assert row_problems([broken], CAUSES) == ["item i1: its list of sentences does not fit its text"]


def test_marks_are_refused_for_a_code_that_asks_for_none(tmp_path: Path) -> None:
    path = table(tmp_path / "talks.csv", [row(1)], HEAD)
    columns = TableShape(path).label_columns(EPITOME, [LabelColumn(WARM, path, "causes")])
    with pytest.raises(MarksUnwanted, match="'emotional-reactions' does not ask which sentences"):
        read_labelled_tables(EPITOME, TextColumns("utterances"), columns)
    with pytest.raises(ColumnUnsure, match="--label CODE=COLUMN"):
        TableShape(path).label_columns(EPITOME, [])


@settings(max_examples=examples(60))
@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1).filter(str.strip), min_size=1))
def test_each_sentence_is_at_its_place(texts: list[str]) -> None:
    text, sentences = join_sentences(texts)
    assert [text[start:end] for start, end in sentences.places] == [each.strip() for each in texts]
    again = msgspec.json.decode(msgspec.json.encode(sentences), type=SentenceList)
    assert again == sentences
