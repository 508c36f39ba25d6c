"""The frame: canonical whatever the order of rows and files, and strict about what does not fit together."""

from collections.abc import Callable

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.sampling.errors import (
    DuplicateUnits,
    EmptyFrame,
    FrameError,
    MissingColumns,
    MissingIdentifiers,
    OrphanReplies,
    ReplyCountMismatch,
    UnknownExclusion,
    WrongColumnType,
)
from corpus.sampling.frame import Frame, build_frame
from tests.examples import examples

POSTS = pl.DataFrame(
    {
        "post_id": ["p3", "p1", "p2", "p1"],
        "community": ["r/work", "r/work", "r/work", "r/Parenting"],
        "n_replies": [0, 2, 1, 1],
        "text": ["not read", "not read", "not read", "not read"],
    }
)
REPLIES = pl.DataFrame(
    {
        "reply_id": ["c3", "c1", "c2", "c1"],
        "post_id": ["p2", "p1", "p1", "p1"],
        "community": ["r/work", "r/work", "r/work", "r/Parenting"],
    }
)


def frame(posts: pl.DataFrame = POSTS, replies: pl.DataFrame = REPLIES) -> Frame:
    return build_frame(posts.lazy(), replies.lazy())


def test_groups_by_community_and_sorts() -> None:
    parenting, work = frame().communities
    assert (parenting.name, work.name) == ("r/Parenting", "r/work")
    assert work.posts.rows() == [("p1", 2), ("p2", 1), ("p3", 0)]
    assert work.replies.rows() == [("p1", "c1"), ("p1", "c2"), ("p2", "c3")]


def test_hash_is_the_same_on_every_machine() -> None:
    assert frame().hash == "79e28317e8d7070f6d176bc032de845c9035635602a3df615fa817349a5390e5"


@settings(max_examples=examples(30), deadline=None)
@given(st.permutations(range(4)), st.permutations(range(4)), st.integers(0, 4))
def test_order_of_rows_and_split_into_files_do_not_matter(
    posts: list[int], replies: list[int], cut: int
) -> None:
    shuffled = REPLIES[replies]
    in_two_files = pl.concat([shuffled[:cut].lazy(), shuffled[cut:].lazy()])
    assert build_frame(POSTS[posts].lazy(), in_two_files) == frame()


def test_types_of_identifiers_do_not_matter() -> None:
    posts = pl.DataFrame({"community": ["a"], "post_id": [10], "n_replies": pl.Series([1], dtype=pl.UInt16)})
    replies = pl.DataFrame({"community": ["a"], "post_id": [10], "reply_id": [7]})
    as_text = posts.with_columns(pl.col("post_id").cast(pl.String), pl.col("community").cast(pl.Categorical))
    assert frame(posts, replies) == frame(as_text, replies.cast(pl.String))


@pytest.mark.parametrize(
    ("posts", "replies"),
    [
        (POSTS.with_columns(pl.col("community").str.replace("work", "jobs")), REPLIES),
        (POSTS.with_columns(pl.col("post_id").str.replace("p3", "p4")), REPLIES),
        (POSTS.filter(pl.col("post_id") != "p3"), REPLIES),
        (POSTS, REPLIES.with_columns(pl.col("reply_id").str.replace("c3", "c4"))),
        (
            POSTS.with_columns(n_replies=pl.Series([1, 2, 0, 1])),
            REPLIES.with_columns(post_id=pl.Series(["p3", "p1", "p1", "p1"])),
        ),
    ],
    ids=["community", "post id", "post gone", "reply id", "reply moved"],
)
def test_hash_changes_with_content(posts: pl.DataFrame, replies: pl.DataFrame) -> None:
    posts, replies = _consistent(posts, replies)
    assert frame(posts, replies).hash != frame().hash


def _consistent(posts: pl.DataFrame, replies: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    return posts, replies.with_columns(
        pl.when(pl.col("community").is_in(posts["community"].to_list()))
        .then(pl.col("community"))
        .otherwise(pl.lit("r/jobs"))
        .alias("community")
    )


def test_hash_does_not_run_identifiers_together() -> None:
    def one_post(community: str, post_id: str) -> Frame:
        posts = pl.DataFrame({"community": [community], "post_id": [post_id], "n_replies": [0]})
        return frame(posts, REPLIES.clear())

    assert one_post("ab", "c").hash != one_post("a", "bc").hash


def test_text_is_no_part_of_the_frame() -> None:
    assert frame(POSTS.with_columns(text=pl.lit("other"))) == frame()


def test_without_equals_a_frame_that_never_had_the_posts() -> None:
    never = frame(
        POSTS.filter(~((pl.col("community") == "r/work") & (pl.col("post_id") == "p1"))),
        REPLIES.filter(~((pl.col("community") == "r/work") & (pl.col("post_id") == "p1"))),
    )
    assert frame().without({("r/work", "p1")}) == never != frame()
    assert frame().without(frozenset()) == frame()


def test_without_a_whole_community_keeps_its_name() -> None:
    reduced = frame().without({("r/Parenting", "p1")})
    assert [(c.name, c.posts.height) for c in reduced.communities] == [("r/Parenting", 0), ("r/work", 3)]
    work = frame(POSTS.filter(community="r/work"), REPLIES.filter(community="r/work"))
    assert reduced.hash == work.hash


@pytest.mark.parametrize("post", [("r/work", "p9"), ("r/wrk", "p1")])
def test_without_refuses_unknown_posts(post: tuple[str, str]) -> None:
    with pytest.raises(UnknownExclusion, match=rf"1 post.*{post[1]}.*{post[0]}"):
        frame().without({post, ("r/work", "p1")})


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda p, r: (p.drop("n_replies"), r), MissingColumns, "posts: missing column.*n_replies"),
        (lambda p, r: (p, r.drop("post_id", "reply_id")), MissingColumns, "post_id, reply_id"),
        (lambda p, r: (p, r.with_columns(reply_id=0.5)), WrongColumnType, "reply_id is Float64"),
        (lambda p, r: (p.with_columns(n_replies=1.0), r), WrongColumnType, "n_replies is Float64"),
        (lambda p, r: (p, r.with_columns(reply_id=pl.lit(""))), MissingIdentifiers, "4 row"),
        (lambda p, r: (pl.concat([p, p[:1]]), r), DuplicateUnits, "posts: 2 row.*'p3' in 'r/work'"),
        (lambda p, r: (p, pl.concat([r, r[1:2]])), DuplicateUnits, "replies: 2 row.*'c1' in 'r/work'"),
        (lambda p, r: (p[:3], r), OrphanReplies, "1 row.*'p1' in 'r/Parenting'"),
        (lambda p, r: (p, r[1:]), ReplyCountMismatch, "1 post.*'p2' in 'r/work': states 1, has 0"),
        (lambda p, r: (p.clear(), r.clear()), EmptyFrame, "no posts"),
    ],
)
def test_refuses(
    change: Callable[[pl.DataFrame, pl.DataFrame], tuple[pl.DataFrame, pl.DataFrame]],
    error: type[FrameError],
    message: str,
) -> None:
    with pytest.raises(error, match=message):
        frame(*change(POSTS, REPLIES))


def test_refuses_null_identifier_and_null_count() -> None:
    with pytest.raises(MissingIdentifiers, match="posts: 1 row"):
        frame(POSTS.with_columns(post_id=pl.Series(["p3", "p1", None, "p1"])))
    with pytest.raises(ReplyCountMismatch, match="states None, has 0"):
        frame(POSTS.with_columns(n_replies=pl.Series([None, 2, 1, 1])))
