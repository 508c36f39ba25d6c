"""Releases out of labelled tables: verified, split by post, honest about what was left out."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from annotation.release.files import write_release
from annotation.release.labelled_table import read_labelled_tables
from annotation.release.read import ReadRelease, read_release
from annotation.release.release_from_table import ImportRequest, NothingLabelled, release_from_tables
from annotation.release.rows import FinalLabel, LabelSource, SpanSource
from annotation.release.table_items import LabelColumn, NoQuotes, ReadTables, TextColumns, UnknownCode
from codebook.schema import Codebook
from codebook.shipped import load_shipped
from corpus.errors import MissingColumn, WrongType

EPITOME, CAUSES = load_shipped("epitome"), load_shipped("empathy-cause")
NOW = datetime(2026, 3, 2, tzinfo=UTC)
REQUEST = ImportRequest("Pairs", "lane", (6, 2, 2), 1, "")
TEXTS = TextColumns("post", "reply")
WARM, ASK = "emotional-reactions", "explorations"


def table(path: Path, rows: Sequence[Sequence[object]], head: str = "post,reply,level,quotes") -> Path:
    with path.open("w", newline="", encoding="utf-8") as handle:
        csv.writer(handle).writerows([head.split(","), *rows])
    return path


def warm(path: Path) -> LabelColumn:
    return LabelColumn(WARM, path, "level", "quotes")


def released(folder: Path, tables: ReadTables, codebook: Codebook = EPITOME) -> ReadRelease:
    write_release(folder, release_from_tables(tables, codebook, REQUEST, now=NOW))
    return read_release(folder)


def labels(release: ReadRelease, code: str) -> dict[str, FinalLabel]:
    return {
        row.item.texts.reply or "": label
        for row in release.rows
        for label in row.labels
        if row.item.texts and label.code == code
    }


def test_pairs_with_the_same_ids_are_one_although_tables_word_them_differently(tmp_path: Path) -> None:
    """One table says “on this”, the other “on this subreddit”: it became two items with half of the labels each."""
    head = "sp,rp,post,reply,level,quotes"
    rows = [["p1", "r1", "I am lost", "Most of us on this have been there", 1, "have been there"]]
    rows += [[f"p{n}", f"r{n}", f"Post {n}", f"Reply {n}", 0, ""] for n in range(2, 12)]
    other = [
        ["p1", "r1", "I am lost", "Most of us on this subreddit have been there", 2, "have been there"],
        *rows[1:],
    ]
    paths = [table(tmp_path / f"{name}.csv", each, head) for name, each in (("one", rows), ("two", other))]
    columns = [
        LabelColumn(code, path, "level", "quotes") for code, path in zip((WARM, ASK), paths, strict=True)
    ]
    texts = TextColumns("post", "reply", post_id="sp", reply_id="rp")
    tables = read_labelled_tables(EPITOME, texts, columns)
    assert len(tables.items) == 11 and len(tables.reworded) == 1 and not tables.n_repeated
    joined = next(iter(tables.items.values()))
    assert set(joined.labels) == {WARM, ASK} and joined.reply == "Most of us on this have been there"
    found = joined.label(ASK)
    assert found and [joined.reply[a:b] for a, b in found.places] == ["have been there"]
    by_words = read_labelled_tables(EPITOME, TEXTS, columns)
    assert len(by_words.items) == 12 and not by_words.reworded, "without ids, words alone can tell"


def test_a_table_becomes_a_release_that_verifies(tmp_path: Path) -> None:
    rows = [
        [f"Post {n}", f"So sorry, truly {n}", n % 3, "So sorry|truly" if n % 3 else ""] for n in range(12)
    ]
    path = table(tmp_path / "pairs.csv", rows)
    found = released(tmp_path / "r", read_labelled_tables(EPITOME, TEXTS, [warm(path)]))
    assert len(found.rows) == 12 and len({row.split for row in found.rows}) == 3
    one = labels(found, WARM)["So sorry, truly 1"]
    assert (one.value, one.source, one.evidence.source) == (1, LabelSource.IMPORTED, SpanSource.IMPORTED)
    assert [(place.start, place.end) for place in one.evidence.snippets] == [(0, 8), (10, 15)]
    assert labels(found, ASK)["So sorry, truly 1"].source is LabelSource.NOT_ASKED


def test_several_tables_label_the_same_pairs_whatever_their_spacing(tmp_path: Path) -> None:
    first = table(tmp_path / "a.csv", [["P", "I am  here", 1, "am here"]])
    second = table(tmp_path / "b.csv", [["P", "I am here ", 2, "here"]])
    columns = [warm(first), LabelColumn(ASK, second, "level", "quotes")]
    tables = read_labelled_tables(EPITOME, TEXTS, columns)
    found = released(tmp_path / "r", tables)
    assert len(found.rows) == 1
    assert {label.code: label.value for label in found.rows[0].labels} == {
        WARM: 1,
        "interpretations": None,
        ASK: 2,
    }
    assert dict(tables.quotes) == {"loose": 1, "exact": 1}


def test_rows_that_contradict_each_other_are_left_out_and_repeats_count_once(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["P", "a", 0, ""],
        ["P", "a", 2, "a"],
        ["P", "b", 1, "b"],
        ["P", "b", 1, "b"],
        ["P", "c", "", ""],
    ]
    path = table(tmp_path / "pairs.csv", rows)
    found = released(tmp_path / "r", read_labelled_tables(EPITOME, TEXTS, [warm(path)]))
    assert list(labels(found, WARM)) == ["b"]
    assert found.manifest.counts.left_out == {"contradictory": 1, "repeated": 2, "unlabelled": 1}


def test_the_same_post_under_two_ids_stays_in_one_part(tmp_path: Path) -> None:
    rows = [[f"id-{n}", "The same post", f"reply {n}", n % 2, ""] for n in range(20)]
    path = table(tmp_path / "pairs.csv", rows, "id,post,reply,level,quotes")
    texts = TextColumns("post", "reply", post_id="id")
    found = released(tmp_path / "r", read_labelled_tables(EPITOME, texts, [warm(path)]))
    assert len({row.split for row in found.rows}) == 1


def test_quotes_mark_whole_sentences_where_those_are_asked_for(tmp_path: Path) -> None:
    path = table(
        tmp_path / "pairs.csv", [["I lost it. He left.", "Oh no", 1, "lost"], ["All fine.", "Nice", 0, ""]]
    )
    columns = [LabelColumn("empathy-cause", path, "level", "quotes")]
    found = released(tmp_path / "r", read_labelled_tables(CAUSES, TEXTS, columns), CAUSES)
    causes = labels(found, "empathy-cause")
    assert [(place.start, place.end) for place in causes["Oh no"].evidence.snippets] == [(0, 10)]
    assert (causes["Oh no"].value, causes["Nice"].value) == (1, 0)


def test_a_sentence_that_no_quote_leads_to_is_no_label(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["I lost it. He left.", "a", 1, "lost", 1],
        ["I lost it. She left.", "b", 1, "nowhere to be found", 1],
        ["I lost it. They left.", "c", 1, "", 0],
        ["I lost it. We left.", "d", 1, "", ""],
    ]
    path = table(tmp_path / "pairs.csv", rows, "post,reply,level,quotes,care")
    both = replace(CAUSES, questions=(*CAUSES.questions, *EPITOME.questions))
    columns = [LabelColumn("empathy-cause", path, "level", "quotes"), LabelColumn(WARM, path, "care")]
    found = release_from_tables(read_labelled_tables(both, TEXTS, columns), both, REQUEST, now=NOW)
    causes = {
        row.item.texts.reply: (label.value, label.source)
        for row in found.rows
        for label in row.labels
        if row.item.texts and label.code == "empathy-cause"
    }
    unplaced = (None, LabelSource.UNPLACED)
    assert causes == {"a": (1, LabelSource.IMPORTED), "b": unplaced, "c": unplaced}
    assert found.counts.by_source["unplaced"] == 2
    assert found.counts.left_out == {"unplaced": 1}


def test_words_that_are_not_in_the_text_are_counted(tmp_path: Path) -> None:
    path = table(tmp_path / "pairs.csv", [["P", "a reply", 1, "nowhere to be found"]])
    assert read_labelled_tables(EPITOME, TEXTS, [warm(path)]).quotes == {"not found": 1}


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    path = table(tmp_path / "pairs.csv", [["P", "a reply", 7, ""]])
    with pytest.raises(WrongType, match="row 1, column 'level': 7 is no answer"):
        read_labelled_tables(EPITOME, TEXTS, [warm(path)])
    with pytest.raises(UnknownCode, match="no code 'warmth'"):
        read_labelled_tables(EPITOME, TEXTS, [LabelColumn("warmth", path, "level")])
    with pytest.raises(MissingColumn, match="'score'"):
        read_labelled_tables(EPITOME, TEXTS, [LabelColumn(WARM, path, "score")])
    without_reply = table(tmp_path / "posts.csv", [["P", "", 1, ""]])
    with pytest.raises(WrongType, match="no reply to judge"):
        read_labelled_tables(EPITOME, TEXTS, [warm(without_reply)])
    with pytest.raises(NoQuotes, match="--evidence empathy-cause=COLUMN"):
        read_labelled_tables(CAUSES, TEXTS, [LabelColumn("empathy-cause", path, "level")])
    unlabelled = table(tmp_path / "bare.csv", [["P", "r", "", ""]])
    with pytest.raises(NothingLabelled):
        release_from_tables(
            read_labelled_tables(EPITOME, TEXTS, [warm(unlabelled)]), EPITOME, REQUEST, now=NOW
        )


def test_the_card_does_not_speak_of_annotators_that_there_were_not(tmp_path: Path) -> None:
    path = table(tmp_path / "pairs.csv", [["P", "a reply", 1, ""]])
    released(tmp_path / "r", read_labelled_tables(EPITOME, TEXTS, [warm(path)]))
    card = (tmp_path / "r" / "README.md").read_text()
    assert "came in a table with the texts" in card and "annotator" not in card
