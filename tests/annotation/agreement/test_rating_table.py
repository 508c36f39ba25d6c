"""Tables of ratings are read as people save them, and what is wrong is named with its line."""

import numpy as np
import pytest

from annotation.agreement.measure import measure_ratings, without_pairs
from annotation.agreement.rating_table import read_ratings
from annotation.agreement.values import MeasurementLevel
from corpus.delimited import TableUnreadable

NOMINAL, ORDINAL, INTERVAL = MeasurementLevel


@pytest.mark.parametrize(
    "name",
    [
        "id",
        "Item",
        "item_id",
        "UNIT",
        "Units",
        "",
        "post id",
        "Unnamed: 0",
        "task",
        "Post",
        "text",
        "uid",
        "doc",
        "#",
    ],
)
def test_a_first_column_that_is_named_so_is_an_id(name: str) -> None:
    table = read_ratings(f"{name},Ada,Ben\nx,1,2\ny,2,\n".encode(), level=NOMINAL)
    assert table.ratings.items == ("x", "y")
    assert table.ratings.raters == ("Ada", "Ben")
    assert np.array_equal(table.ratings.values, np.array([[0, 1], [1, np.nan]]), equal_nan=True)
    assert table.labels == ("1", "2")


ROWS = ("1,1", "0,0", "1,0", "0,0", "1,1", "0,1")


@pytest.mark.parametrize(
    "ids",
    [
        [f"t3_{at}" for at in range(6)],
        [str(at) for at in range(1, 7)],
        [str(at) for at in range(6)],
        [str(at) for at in range(900, 906)],
    ],
)
def test_a_first_column_that_looks_like_an_id_is_refused_until_somebody_says_what_it_is(
    ids: list[str],
) -> None:
    lines = ["snippet,Ada,Ben", *(f"{name},{row}" for name, row in zip(ids, ROWS, strict=True))]
    content = "\n".join(lines).encode()
    with pytest.raises(TableUnreadable, match="Say --id snippet if it is one, or --no-id"):
        read_ratings(content, level=NOMINAL)
    table = read_ratings(content, level=NOMINAL, id_column="snippet")
    assert (table.ratings.raters, table.ratings.items) == (("Ada", "Ben"), tuple(ids))
    every = read_ratings(content, level=NOMINAL, has_id=False)
    assert every.ratings.raters == ("snippet", "Ada", "Ben")


def test_an_id_may_stand_anywhere_if_it_is_named() -> None:
    table = read_ratings(b"Ada,who,Ben\n1,x,2\n2,y,2\n", level=NOMINAL, id_column="who")
    assert (table.ratings.raters, table.ratings.items) == (("Ada", "Ben"), ("x", "y"))
    with pytest.raises(TableUnreadable, match="There is no column"):
        read_ratings(b"Ada,Ben\n1,2\n", level=NOMINAL, id_column="nobody")
    everybody = read_ratings(b"id,Ben\n1,2\n2,2\n", level=NOMINAL, has_id=False)
    assert everybody.ratings.raters == ("id", "Ben")


def test_raters_who_measure_exactly_are_not_taken_for_ids() -> None:
    table = read_ratings(b"Ada,Ben\n1.23,1.25\n2.5,2.4\n3.75,3.8\n0.5,0.6\n", level=INTERVAL)
    assert table.ratings.raters == ("Ada", "Ben")
    alike = read_ratings(b"Ada,Ben\n4,4\n2,2\n3,2\n1,1\n", level=ORDINAL)
    assert alike.ratings.raters == ("Ada", "Ben")


def test_an_id_beside_the_cluster_is_found_or_refused() -> None:
    lines = [f"p{at // 2},u{at},{row}" for at, row in enumerate(ROWS)]
    named = read_ratings("\n".join(["post,uid,Ada,Ben", *lines]).encode(), level=NOMINAL, cluster="post")
    assert (named.ratings.raters, named.ratings.items[0]) == (("Ada", "Ben"), "u0")
    unnamed = "\n".join(["post,snippet,Ada,Ben", *lines]).encode()
    with pytest.raises(
        TableUnreadable, match=r"“snippet”, has another value in every row.* Say --id snippet"
    ):
        read_ratings(unnamed, level=NOMINAL, cluster="post")
    every = read_ratings(unnamed, level=NOMINAL, cluster="post", has_id=False)
    assert every.ratings.raters == ("snippet", "Ada", "Ben")


def test_row_numbers_beside_measurements_are_refused() -> None:
    content = b"snippet,Ada,Ben\n1,1.25,1.5\n2,2.5,2.25\n3,3.75,3.5\n4,0.5,0.75\n"
    with pytest.raises(TableUnreadable, match="Say --id snippet"):
        read_ratings(content, level=INTERVAL)
    ranks = read_ratings(b"Ada,Ben\n1,2\n2,1\n3,4\n4,3\n", level=ORDINAL)
    assert ranks.ratings.raters == ("Ada", "Ben"), "ranks in the order of the first rater's"


def test_other_first_columns_are_raters() -> None:
    table = read_ratings(b"Ada,Ben\n1,2\n", level=NOMINAL)
    assert (table.ratings.items, table.ratings.raters) == (("1",), ("Ada", "Ben"))


@pytest.mark.parametrize(
    "content", ["Ada;Ben\n1,5;2\n;3\n", "Ada\tBen\n1.5\t2\nNA\t3\n", "\ufeffAda,Ben\n1.5,2\n,3"]
)
def test_any_common_delimiter_decimal_comma_and_mark(content: str) -> None:
    table = read_ratings(content.encode(), level=INTERVAL)
    assert np.array_equal(table.ratings.values, [[1.5, 2], [np.nan, 3]], equal_nan=True)


def test_words_are_categories_and_none_is_a_word() -> None:
    table = read_ratings(b"Ada,Ben\nnone,weak\nNA,\nstrong,strong\n", level=NOMINAL)
    assert table.labels == ("none", "strong", "weak")
    assert [table.label_of(value) for value in table.ratings.values[0]] == ["none", "weak"]
    assert np.isnan(table.ratings.values[1]).all()
    assert table.remarks == ("1 cell says NA, N/A or NaN: read as gaps.",)


def test_a_column_can_say_what_belongs_together() -> None:
    table = read_ratings(b"id,Ada,post,Ben\n1,1,p,1\n2,0,p,0\n3,0,q,1\n", level=NOMINAL, cluster="post")
    assert table.ratings.raters == ("Ada", "Ben")
    assert table.ratings.clusters == ("p", "p", "q")
    first = read_ratings(b"post_id,Ada,Ben\np,1,1\np,0,0\n", level=NOMINAL, cluster="post_id")
    assert (first.ratings.clusters, first.ratings.items) == (("p", "p"), ("1", "2"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "The table is empty"),
        (b"id\n1\n", "Line 1: there is no column of a rater"),
        (b"Ada,Ada\n1,1\n", "Line 1: the column .Ada. is there twice"),
        (b"Ada,Ben,\n1,1,1\n", "Line 1: column 3 has no name"),
        (b"Ada,Ben\n1,1\n1\n", "Line 3: 1 cells where the header has 2"),
        (b"id,Ada,Ben\nx,1,1\ny,0,0\nx,1,1\n", "Lines 2 and 4: the id .x. is there twice"),
        (b"id,Ada,Ben\n,1,1\n", "Line 2: the id is missing"),
        (b"Ada,Ben\n1,1\n\xe9,1\n", "Line 3: not UTF-8"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(content: bytes, message: str) -> None:
    with pytest.raises(TableUnreadable, match=message):
        read_ratings(content, level=NOMINAL)


@pytest.mark.parametrize("level", [ORDINAL, INTERVAL])
def test_words_have_no_order_and_the_message_says_what_to_do(level: MeasurementLevel) -> None:
    with pytest.raises(
        TableUnreadable, match=r"Line 3, column 2: .weak. is no number.*replace the words by numbers"
    ):
        read_ratings(b"Ada,Ben\n1,1\n1,weak\n", level=level)


def test_an_unknown_or_empty_cluster_is_refused() -> None:
    with pytest.raises(TableUnreadable, match=r"no column .post.; the columns are id, Ada, Ben"):
        read_ratings(b"id,Ada,Ben\n1,1,1\n", level=NOMINAL, cluster="post")
    with pytest.raises(TableUnreadable, match="Line 2: the cluster is missing"):
        read_ratings(b"post,Ada,Ben\n,1,1\n", level=NOMINAL, cluster="post")


def labels_in(content: str) -> list[list[str]]:
    table = read_ratings(content.encode(), level=NOMINAL)
    return [[table.label_of(value) for value in row] for row in table.ratings.values.tolist()]


@pytest.mark.parametrize(
    ("one", "other"),
    [("9007199254740993", "9007199254740992"), ("007", "7"), ("1E2", "100"), ("1_0", "10"), ("yes", "Yes")],
)
def test_labels_that_are_written_differently_are_different(one: str, other: str) -> None:
    assert labels_in(f"Ada,Ben\n{one},{other}\n") == [[one, other]]


def test_plain_numbers_are_compared_as_numbers_and_a_word_makes_labels_of_them() -> None:
    assert labels_in("Ada,Ben\n1,1.0\n-0.50,-0.5\n10,9\n") == [["1", "1"], ["-0.50", "-0.50"], ["10", "9"]]
    assert labels_in("Ada;Ben\n1,5;1.50\n") == [["1,5", "1,5"]]
    assert labels_in("Ada,Ben\n1,1.0\nno,1\n") == [["1", "1.0"], ["no", "1"]]
    assert read_ratings(b"Ada,Ben\n10,9\n2,2\n", level=NOMINAL).labels == ("2", "9", "10")


@pytest.mark.parametrize("others", ["1,2", "yes,no"])
def test_what_a_program_writes_into_gaps_is_one_beside_words_and_numbers(others: str) -> None:
    table = read_ratings(f"Ada,Ben\n{others}\nNA,n/a\nNaN,\n".encode(), level=NOMINAL)
    assert np.isnan(table.ratings.values[1:]).all()
    assert table.remarks == ("3 cells say NA, N/A or NaN: read as gaps.",)


def test_levels_are_in_the_order_of_their_numbers() -> None:
    table = read_ratings(b"Ada,Ben\n10,9\n1e1,2\n", level=ORDINAL)
    assert (table.labels, table.ratings.values.tolist()) == (("2", "9", "10"), [[2, 1], [2, 0]])


def test_a_comma_between_commas_is_no_decimal_comma() -> None:
    with pytest.raises(
        TableUnreadable, match=r"Line 2, column 2: .1,000. is no number in a table with commas"
    ):
        read_ratings(b'Ada,Ben,Cleo\n1,"1,000",1\n', level=INTERVAL)
    assert labels_in('Ada,Ben\n"1,000",1\n') == [["1,000", "1"]]


def test_a_row_of_blanks_is_an_item_unless_it_should_have_an_id() -> None:
    assert read_ratings(b"Ada,Ben\n1,1\n,\n\n2,2\n", level=NOMINAL).ratings.items == ("1", "2", "3")
    assert read_ratings(b"id,Ada,Ben\nx,1,1\n,,\n", level=NOMINAL).ratings.items == ("x",)


# Fleiss' kappa of these ten items with fourteen raters each is a textbook's: 0.210.
COUNTS = b"""subject,a,b,c,d,e
1,0,0,0,0,14
2,0,2,6,4,2
3,0,0,3,5,6
4,0,3,9,2,0
5,2,2,8,1,1
6,7,7,0,0,0
7,3,2,6,3,0
8,2,5,3,2,2
9,6,5,2,1,0
10,0,2,2,3,7
"""


def test_a_table_of_counts_is_not_taken_for_ratings() -> None:
    with pytest.raises(TableUnreadable, match=r"add up to 14.*--counts.*--no-counts"):
        read_ratings(COUNTS, level=NOMINAL)
    assert len(read_ratings(COUNTS, level=NOMINAL, counts=False).ratings.raters) == 5


def test_counts_are_read_as_that_many_ratings() -> None:
    table = read_ratings(COUNTS, level=NOMINAL, counts=True)
    found = without_pairs(measure_ratings(table.ratings, level=NOMINAL, resamples=0, seed=0))
    assert found["fleiss_kappa"].value == pytest.approx(0.20993, abs=1e-5)
    assert (found["fleiss_kappa"].n_items, found.n_ratings, found.pairs) == (10, 140, ())
    assert found["cohen_kappa_mean"].value is found["scott_pi"].value is None
    assert (table.labels, table.knows_raters) == (("a", "b", "c", "d", "e"), False)


def test_answers_that_are_numbers_have_their_distances() -> None:
    counted = read_ratings(b"item,1,2,5\nx,2,0,0\ny,0,1,1\nz,0,0,2\n", level=INTERVAL, counts=True).ratings
    rated = read_ratings(b"item,Ada,Ben\nx,1,1\ny,2,5\nz,5,5\n", level=INTERVAL).ratings
    assert counted.values.tolist() == rated.values.tolist()
    with pytest.raises(TableUnreadable, match="Line 1, column 3: “severe” is no number"):
        read_ratings(b"item,1,severe\nx,2,0\ny,1,1\n", level=ORDINAL, counts=True)


def test_counts_may_differ_between_items_and_have_gaps() -> None:
    table = read_ratings(b"item,no,yes\nx,2.0,\ny,1,2\n", level=NOMINAL, counts=True)
    assert table.ratings.values.tolist()[1] == [0, 1, 1]
    assert np.isnan(table.ratings.values[0]).tolist() == [False, False, True]


def test_what_is_no_count_is_named() -> None:
    with pytest.raises(TableUnreadable, match=r"Line 2, column 3: “-1” is no count.*the answer “yes”"):
        read_ratings(b"item,no,yes\nx,2,-1\n", level=NOMINAL, counts=True)


@pytest.mark.parametrize(
    "rows", ["1,1\n" * 5, "1,0\n0,1\n1,0\n1,0\n", "1,3\n2,2\n3,1\n", "2,1\n1,2\n3,3\n2,2\n"]
)
def test_ratings_are_not_taken_for_counts(rows: str) -> None:
    assert read_ratings(f"Ada,Ben\n{rows}".encode(), level=NOMINAL).knows_raters
