"""Releases that carry each annotator's label and the distribution of labels, from judgments and from tables."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import polars as pl
import pytest

from annotation.consensus.values import Ties
from annotation.release.files import write_release
from annotation.release.labelled_table import read_labelled_tables
from annotation.release.manifest import MANIFEST, add_hash, file_entries, manifest_bytes, parse_manifest
from annotation.release.read import ReadRelease, read_release
from annotation.release.release_from_table import release_from_tables
from annotation.release.rows import FinalLabel, LabelSource
from annotation.release.soft_labels import (
    ANNOTATOR_LABELS,
    SOFT_LABELS,
    NoSoftLabels,
    soft_facts,
)
from annotation.release.table_columns import TableShape
from annotation.release.table_items import LabelColumn, NothingNamed, TextColumns
from annotation.release.verify import verify_release
from codebook.schema import Part
from corpus.errors import WrongType
from tests.annotation.release.fixtures import EPITOME, REQUEST, RULES, judged, release_of, said
from tests.annotation.release.test_release_from_table import NOW, WARM, table
from tests.annotation.release.test_release_from_table import REQUEST as IMPORT

SOFT = replace(IMPORT, soft_labels=True)
LEVELS = (
    {"Ada": 2, "Ben": 2, "Cleo": 0},
    {"Ada": 1, "Ben": 0, "Cleo": 0},
    {"Ada": 2, "Ben": 1},
    {"Cleo": 0},
    {"Ada": 1, "Ben": 1, "Cleo": 1},
    {"Ada": 0, "Ben": 0, "Cleo": 2},
)


def long_table(path: Path, *, with_texts: bool = True) -> Path:
    rows: list[Sequence[object]] = [
        [f"i{at}", who, level, *((f"Post {at}", f"Reply {at}") if with_texts else ())]
        for at, said in enumerate(LEVELS)
        for who, level in said.items()
    ]
    return table(path, rows, f"item,annotator,label{',post,reply' if with_texts else ''}")


def released(folder: Path, path: Path, request: object = SOFT) -> ReadRelease:
    texts = TableShape(path).text_columns(TextColumns("post", "reply"), Part.REPLY)
    tables = read_labelled_tables(EPITOME, texts, [LabelColumn(WARM, path, "label")])
    write_release(folder, release_from_tables(tables, EPITOME, request, now=NOW))  # type: ignore[arg-type]
    return read_release(folder)


def warm(found: ReadRelease) -> dict[str, FinalLabel]:
    return {row.item.item_id: label for row in found.rows for label in row.labels if label.code == WARM}


def test_a_long_table_becomes_a_release_with_every_annotators_label(tmp_path: Path) -> None:
    found = warm(released(tmp_path / "r", long_table(tmp_path / "long.csv")))
    assert len(found) == 6
    assert found["i0"].shares == ((0, 1 / 3), (1, 0.0), (2, 2 / 3))
    assert (found["i0"].value, found["i0"].source) == (2, LabelSource.MAJORITY)
    assert found["i2"].source is LabelSource.TIE and found["i2"].shares == ((0, 0.0), (1, 0.5), (2, 0.5))
    assert (found["i3"].source, found["i4"].source) == (LabelSource.SINGLE, LabelSource.AGREED)
    for item, given in zip(found, LEVELS, strict=True):
        assert Counter(vote.value for vote in found[item].votes) == Counter(given.values())


def test_pseudonyms_are_stable_in_the_release_and_tell_no_name(tmp_path: Path) -> None:
    found = warm(released(tmp_path / "r", long_table(tmp_path / "long.csv")))
    votes = [{vote.annotator: vote.value for vote in label.votes} for label in found.values()]
    who = {name: set(range(3)) for name in ("annotator-1", "annotator-2", "annotator-3")}
    assert set().union(*votes) == set(who)
    same = [
        name for name in who if [each.get(name) for each in votes] == [each.get("Ada") for each in LEVELS]
    ]
    assert len(same) == 1, "Ada is one pseudonym on every item"
    content = b"".join(path.read_bytes() for path in (tmp_path / "r").rglob("*") if path.is_file())
    assert not any(name in content for name in (b"Ada", b"Ben", b"Cleo"))
    renamed = tmp_path / "renamed.csv"
    renamed.write_text((tmp_path / "long.csv").read_text().replace("Ada", "Zoe").replace("Cleo", "Abe"))
    assert warm(released(tmp_path / "other", renamed)) == found, "names change nothing"


def test_tables_card_and_manifest_say_what_is_carried(tmp_path: Path) -> None:
    found = released(tmp_path / "r", long_table(tmp_path / "long.csv"))
    assert found.manifest.request.soft_labels is True and found.manifest.counts.annotators == 3
    assert {ANNOTATOR_LABELS, SOFT_LABELS} <= {entry.path for entry in found.manifest.files}
    with (tmp_path / "r" / ANNOTATOR_LABELS).open(newline="") as handle:
        own = list(csv.DictReader(handle))
    assert len(own) == sum(map(len, LEVELS))
    assert {row["answer"] for row in own} == {"None", "Weak", "Strong"}
    with (tmp_path / "r" / SOFT_LABELS).open(newline="") as handle:
        shares = [row for row in csv.DictReader(handle) if row["item_id"] == "i1"]
    assert [(row["value"], row["n"], row["n_annotators"]) for row in shares] == [
        ("0", "2", "3"),
        ("1", "1", "3"),
        ("2", "0", "3"),
    ]
    frame = pl.concat([pl.read_parquet(path) for path in sorted((tmp_path / "r" / "data").iterdir())])
    by_item = dict(zip(frame["item_id"], frame[f"shares__{WARM}"].to_list(), strict=True))
    assert by_item["i4"] == [0.0, 1.0, 0.0] and frame["shares__explorations"].null_count() == 6
    card = (tmp_path / "r" / "README.md").read_text()
    assert "## Soft labels" in card and "| Emotional reactions | 5 | 2.8 | 4 |" in card


def test_without_being_asked_there_are_no_shares(tmp_path: Path) -> None:
    found = released(tmp_path / "r", long_table(tmp_path / "long.csv"), IMPORT)
    assert not any(label.shares for label in warm(found).values())
    assert not (tmp_path / "r" / SOFT_LABELS).exists()
    assert "soft_labels" not in (tmp_path / "r" / MANIFEST).read_text()


def test_changed_shares_are_found_even_where_everything_is_hashed_anew(tmp_path: Path) -> None:
    released(tmp_path / "r", long_table(tmp_path / "long.csv"))
    for name, old, new in (
        ("items.jsonl", '"shares":[[0,0.0],[1,1.0],[2,0.0]]', '"shares":[[0,1.0],[1,0.0],[2,0.0]]'),
        (ANNOTATOR_LABELS, "annotator-1", "annotator-2"),
        (SOFT_LABELS, ",3,1.0", ",3,0.5"),
    ):
        path = tmp_path / "r" / name
        before = path.read_text()
        assert old in before
        path.write_text(before.replace(old, new, 1))
        assert verify_release(tmp_path / "r"), "the hash tells"
        manifest = parse_manifest((tmp_path / "r" / MANIFEST).read_bytes())
        forged = add_hash(msgspec.structs.replace(manifest, files=file_entries(tmp_path / "r")))
        (tmp_path / "r" / MANIFEST).write_bytes(manifest_bytes(forged))
        assert [problem.path for problem in verify_release(tmp_path / "r")] == [name]
        path.write_text(before)


def test_labels_in_a_table_without_texts_find_their_items(tmp_path: Path) -> None:
    texts = table(
        tmp_path / "texts.csv",
        [[f"i{at}", f"Post {at}", f"Reply {at}"] for at in range(6)],
        "item,post,reply",
    )
    votes = long_table(tmp_path / "votes.csv", with_texts=False)
    with votes.open("a") as handle:
        handle.write("nowhere,Ada,1\n")
    columns = TableShape(texts).text_columns(TextColumns("post", "reply"), Part.REPLY)
    tables = read_labelled_tables(EPITOME, columns, [LabelColumn(WARM, votes, "label")], items=texts)
    assert tables.n_textless == 1
    write_release(tmp_path / "r", release_from_tables(tables, EPITOME, SOFT, now=NOW))
    together = released(tmp_path / "one", long_table(tmp_path / "long.csv"))
    assert warm(read_release(tmp_path / "r")) == warm(together)
    with pytest.raises(NothingNamed, match="--item-column"):
        read_labelled_tables(
            EPITOME, TextColumns("post", "reply"), [LabelColumn(WARM, votes, "label")], items=texts
        )


def test_a_label_of_nobody_in_particular_goes_before_the_annotators(tmp_path: Path) -> None:
    """Such as one that was adjudicated."""
    path = long_table(tmp_path / "long.csv")
    gold = table(tmp_path / "gold.csv", [["i1", 2]], "item,settled")
    columns = TableShape(path).text_columns(TextColumns("post", "reply"), Part.REPLY)
    labels = [LabelColumn(WARM, path, "label"), LabelColumn(WARM, gold, "settled")]
    release = release_from_tables(read_labelled_tables(EPITOME, columns, labels), EPITOME, SOFT, now=NOW)
    settled = next(row.labels[0] for row in release.rows if row.item.item_id == "i1")
    assert (settled.value, settled.source) == (2, LabelSource.IMPORTED)
    assert settled.shares == ((0, 2 / 3), (1, 1 / 3), (2, 0.0)) and len(settled.votes) == 3


def test_an_annotator_who_contradicts_themself_is_told_from_two_who_differ(tmp_path: Path) -> None:
    rows = [["P", "a", "Ada", 0], ["P", "a", "Ada", 1], ["P", "b", "Ada", 0], ["P", "b", "Ben", 1]]
    path = table(tmp_path / "t.csv", rows, "post,reply,rater,label")
    found = released(tmp_path / "r", path)
    assert found.manifest.counts.left_out == {"contradictory": 1, "repeated": 1} and len(found.rows) == 1


def test_a_row_without_its_annotator_is_refused(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", [["P", "a", "Ada", 0], ["P", "a", "", 1]], "post,reply,annotator,label")
    with pytest.raises(WrongType, match=r"row 2, column 'annotator'.*whose labels"):
        released(tmp_path / "r", path)


def test_one_annotator_an_item_makes_no_soft_labels(tmp_path: Path) -> None:
    path = table(
        tmp_path / "t.csv", [["P", "a", "Ada", 0], ["P", "b", "Ben", 1]], "post,reply,annotator,label"
    )
    with pytest.raises(NoSoftLabels, match="no item here has answers of two"):
        released(tmp_path / "r", path)
    assert not (tmp_path / "r").exists()


def test_open_ties_keep_their_shares(tmp_path: Path) -> None:
    found = warm(released(tmp_path / "r", long_table(tmp_path / "l.csv"), replace(SOFT, ties=Ties.NONE)))
    assert "i2" not in found, "an item without any label stays out"


def test_two_annotators_are_warned_that_they_know_each_other(tmp_path: Path) -> None:
    answers = {who: said({WARM: level}) for who, level in (("a", 1), ("b", 2))}
    rules, request = replace(RULES, soft=True), msgspec.structs.replace(REQUEST, soft_labels=True)
    release = release_of([judged("one", answers, codebook=EPITOME)], EPITOME, rules=rules, request=request)
    facts = soft_facts(release.rows, EPITOME)
    assert [(fact.theme, fact.n_items, fact.n_differing, fact.same) for fact in facts] == [
        ("Emotional reactions", 1, 1, 0.0)
    ]
    card = replace(release, facts=replace(release.facts, soft_labels=facts)).card()
    assert "a pseudonym hides nobody from the other" in card
