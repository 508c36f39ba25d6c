"""Posts about something else, from files of several forms."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from annotation.release.read import read_release
from annotation.release.rows import SplitPart
from corpus.errors import BrokenEncoding, WrongFormat
from learning.probe.unrelated import (
    NoUnrelatedPosts,
    PostColumnUnknown,
    draw_unrelated,
    posts_of_release,
    read_unrelated,
)
from learning.probe.variants import UnrelatedPost
from tests.learning.probe.fixtures import context_release

BUS, CATS = UnrelatedPost("The bus was late", "Mine too"), UnrelatedPost("We have two cats")


def test_every_form_gives_the_same_posts(tmp_path: Path) -> None:
    rows = [{"post": each.post, "reply": each.reply} for each in (BUS, CATS, BUS, UnrelatedPost(" "))]
    (tmp_path / "posts.csv").write_text(
        "post,reply\n" + "".join(f"{row['post']},{row['reply']}\n" for row in rows)
    )
    (tmp_path / "posts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    pl.DataFrame(rows).write_parquet(tmp_path / "posts.parquet")
    for name in ("posts.csv", "posts.jsonl", "posts.parquet"):
        assert read_unrelated(tmp_path / name) == (BUS, CATS)
    (tmp_path / "posts.txt").write_text(f"{BUS.post}\n\n{CATS.post}\r\n")
    assert read_unrelated(tmp_path / "posts.txt") == (UnrelatedPost(BUS.post), CATS)


def test_columns_are_found_or_named(tmp_path: Path) -> None:
    table = tmp_path / "talk.csv"
    table.write_text("who,line,answer\nann,The bus was late,Mine too\n")
    assert read_unrelated(table, post_column="line", reply_column="answer") == (BUS,)
    assert read_unrelated(table, post_column="line") == (UnrelatedPost(BUS.post),)
    with pytest.raises(PostColumnUnknown, match="--post-column"):
        read_unrelated(table)
    with pytest.raises(PostColumnUnknown, match="'words'"):
        read_unrelated(table, post_column="words")


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "posts.txt").write_bytes(b"fine\n\xff\xfe\n")
    with pytest.raises(BrokenEncoding, match="line 2"):
        read_unrelated(tmp_path / "posts.txt")
    (tmp_path / "posts.docx").write_bytes(b"?")
    with pytest.raises(WrongFormat):
        read_unrelated(tmp_path / "posts.docx")


def test_none_of_the_measured_posts_is_drawn(tmp_path: Path) -> None:
    release = read_release(context_release(tmp_path))
    own = {row.item.texts.post for row in release.rows if row.item.texts and row.split is SplitPart.TEST}
    others = posts_of_release(release, SplitPart.TEST)
    assert others and not {each.post for each in others} & own
    measured = [UnrelatedPost(post) for post in sorted(own)]
    drawn = draw_unrelated([*measured, BUS, CATS], release, SplitPart.TEST, n=9, seed=1)
    assert drawn == (BUS, CATS)
    assert len(draw_unrelated(others, release, SplitPart.TEST, n=5, seed=1)) == 5
    with pytest.raises(NoUnrelatedPosts, match="about something else"):
        draw_unrelated(measured, release, SplitPart.TEST, n=9, seed=1)
