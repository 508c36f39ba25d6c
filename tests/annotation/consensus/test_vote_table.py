"""Votes from files: columns by their names, and errors by their lines."""

from __future__ import annotations

import pytest

from annotation.consensus.vote_table import read_votes
from annotation.consensus.votes import NoVotes
from corpus.delimited import TableUnreadable


@pytest.mark.parametrize("item", ["item", "item_id", "task", "unit", "Item", "post", "uid", "doc", "#", "id"])
@pytest.mark.parametrize("annotator", ["annotator", "worker", "rater"])
def test_columns_are_found_by_any_of_their_names_in_any_order(item: str, annotator: str) -> None:
    table = read_votes(f"label;{item};{annotator}\nyes;1;Ada\nno;1;Ben\n".encode())
    assert (table.votes.items, table.votes.annotators, table.votes.labels) == (
        ("1",),
        ("Ada", "Ben"),
        ("no", "yes"),
    )
    assert table.remarks == ()


@pytest.mark.parametrize("item", ["post_id", "doc id", "Comment-ID", "items", "index"])
def test_names_that_agreement_takes_for_ids_are_those_of_items(item: str) -> None:
    table = read_votes(f"annotator_id,label,{item},rater,note\n9,yes,1,Ada,x\n8,no,1,Ben,\n".encode())
    assert (table.votes.items, table.votes.annotators) == (("1",), ("Ada", "Ben"))
    with pytest.raises(TableUnreadable, match="no column called item or"):
        read_votes(f"{item},other_id,rater,label\n1,2,Ada,yes\n".encode())


def test_the_column_of_items_can_be_named() -> None:
    table = read_votes(b"who,rater,label\nx,Ada,yes\n", id_column="who")
    assert table.votes.items == ("x",)
    with pytest.raises(TableUnreadable, match="no column called whom"):
        read_votes(b"who,rater,label\nx,Ada,yes\n", id_column="whom")


def test_what_is_left_out_is_said() -> None:
    table = read_votes(b"task,item,annotator,label,note\nx,1,Ada,yes,a\nx,2,Ada,,b\nx,3,Ada,,\n")
    assert table.votes.items == ("1",)
    assert table.remarks == ("Columns not used: task, note.", "2 rows without a label left out.")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"item,label\n1,a\n", "no column called annotator or worker or rater; its columns are item, label"),
        (b"item,annotator,label\n1,Ada,a\n,Ben,a\n", "Line 3: the item is missing"),
        (b"item,annotator,label\n1,,a\n", "Line 2: the annotator is missing"),
        (b"item,annotator,label\n1,Ada,a\n1,Ben,a\n1,Ada,b\n", "Lines 2 and 4: Ada gave item 1 “a” and “b”"),
    ],
)
def test_what_cannot_be_counted_is_said_with_its_line(content: bytes, message: str) -> None:
    with pytest.raises(TableUnreadable, match=message):
        read_votes(content)


def test_a_table_without_votes_is_refused() -> None:
    with pytest.raises(NoVotes):
        read_votes(b"item,annotator,label\n1,Ada,\n")
