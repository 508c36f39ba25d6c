"""Columns are guessed by name and content, left open when unsure, and warned about when they look wrong."""

from pathlib import Path

import pytest

from corpus.column_roles import guess_pair_columns, pair_warnings
from corpus.pairs import PairColumns, preview_pairs
from corpus.rules import ImportRules, ReadLimits
from corpus.table_columns import table_head
from tests.corpus.dumps import KEY


def table(folder: Path, *lines: str) -> Path:
    path = folder / "pairs.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def guesses(path: Path) -> dict[str, str]:
    return guess_pair_columns(path, table_head(path, ReadLimits()))


def test_ids_are_not_taken_for_texts_that_have_their_names(tmp_path: Path) -> None:
    path = table(
        tmp_path,
        "post,reply,asked,answered",
        "p1,r1,My plant died.,I am sorry.",
        "p2,r2,I start soon.,Good luck!",
    )
    assert guesses(path) == {
        "post_id": "post",
        "reply_id": "reply",
        "post_text": "asked",
        "reply_text": "answered",
    }


def test_known_names_are_found_however_they_are_written(tmp_path: Path) -> None:
    path = table(
        tmp_path,
        "sp_id,rp_id,seeker_post,response_post,Post Score,replyCreated,subreddit",
        "a1,b1,I failed again,What happened then,3,2020-01-02,calm",
    )
    assert guesses(path) == {
        "post_id": "sp_id",
        "reply_id": "rp_id",
        "post_text": "seeker_post",
        "reply_text": "response_post",
        "post_score": "Post Score",
        "reply_created": "replyCreated",
        "community": "subreddit",
    }


def test_unknown_names_are_left_open(tmp_path: Path) -> None:
    assert guesses(table(tmp_path, "id,a,b", "1,Two words,Three more words")) == {}


def test_the_only_other_text_is_the_other_one(tmp_path: Path) -> None:
    path = table(tmp_path, "nr,story,reply", "1,I failed again,So sorry to hear")
    assert guesses(path) == {"reply_text": "reply", "post_text": "story"}


def test_texts_without_spaces_are_texts(tmp_path: Path) -> None:
    path = table(tmp_path, "post_text,reply_text", "我今天考试失败了,别难过")
    assert guesses(path) == {"post_text": "post_text", "reply_text": "reply_text"}


def test_a_column_whose_cells_do_not_fit_is_not_guessed(tmp_path: Path) -> None:
    path = table(tmp_path, "post_text,reply_text,post_created,post_score", "I failed,So sorry,last week,many")
    assert guesses(path) == {"post_text": "post_text", "reply_text": "reply_text"}


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (
            PairColumns("id", "id"),
            ["read as the post’s text and as the reply’s text", "single word", "single word"],
        ),
        (PairColumns("asked", "answered"), []),
        (
            PairColumns("asked", "answered", title="asked"),
            ["read as the post’s text and as the post’s title"],
        ),
    ],
)
def test_what_looks_wrong_is_said(tmp_path: Path, columns: PairColumns, said: list[str]) -> None:
    path = table(tmp_path, "id,asked,answered", "p1,My plant died.,I am sorry.")
    warnings = pair_warnings(path, table_head(path, ReadLimits()), columns)
    assert len(warnings) == len(said)
    assert all(part in warning for part, warning in zip(said, warnings, strict=True))


def test_three_rows_are_shown_as_they_will_be_read(tmp_path: Path) -> None:
    path = table(
        tmp_path,
        "id,asked,answered",
        "p1,Ask u/somebody,[removed]",
        "p2,Alone here,",
        "p3,Third,So sorry",
        "p4,x,y",
    )
    columns = PairColumns("asked", "answered", post_id="id")
    rows = preview_pairs(path, columns=columns, rules=ImportRules(), key=KEY, community="plants")
    assert [row.post_id for row in rows] == ["p1", "p2", "p3"]
    assert "somebody" not in rows[0].post_text
    assert rows[0].left_out == ("reply: removed",)
    assert rows[1].reply_text is None
    assert rows[2].reply_text == "So sorry"


def test_a_broken_row_ends_the_head(tmp_path: Path) -> None:
    assert table_head(table(tmp_path, "a,b", "1,2", "3"), ReadLimits()).height == 1
