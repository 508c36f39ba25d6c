"""Which units a run labels: each post of its scope once and each reply once, by identifiers and lengths alone."""

from __future__ import annotations

import polars as pl

from corpus.errors import UnknownCommunity
from corpus.sampling.encoding import item_id
from corpus.sampling.randomness import RandomNumbers, draw_key
from corpus.store import CorpusStore
from learning.labelling.facts import RunScope

POST_KEY, REPLY_KEY = ["community", "post_id"], ["community", "reply_id"]
DRAWN_SCHEMA = pl.Schema({"community": pl.String(), "post_id": pl.String(), "reply_id": pl.String()})


class NothingToLabel(ValueError):
    def __init__(self) -> None:
        super().__init__("There is no text to label here: choose another corpus, sample or community.")


class TooFewPosts(ValueError):
    def __init__(self, asked: int, there: int) -> None:
        super().__init__(
            f"{asked:,} posts cannot be drawn from {there:,}: ask for fewer, or for all of them."
        )


class UnitsGone(ValueError):
    def __init__(self, n: int) -> None:
        super().__init__(
            f"{n:,} posts or replies of the sample are not in its corpus any more: draw a new sample from it."
        )


def units_of(
    store: CorpusStore,
    scope: RunScope,
    *,
    parts: frozenset[str],
    seed: int,
    drawn: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """With `n_chars` of the judged text and `n_context` of the post before a reply, in no particular order.

    `drawn` has the posts and replies of the sample that the scope names.
    """
    posts, replies = _posts(store, scope, drawn, seed), _replies(store)
    if drawn is None:
        replies = replies.join(posts.lazy(), on=POST_KEY, how="semi")
    else:
        wanted = drawn.lazy().filter(pl.col("reply_id").is_not_null())
        replies = replies.join(wanted, on=REPLY_KEY, how="semi")
    own = replies.join(
        posts.lazy().select(*POST_KEY, n_context="n_chars"), on=POST_KEY, how="inner", maintain_order="left"
    )
    found = own.collect(engine="streaming")
    if drawn is not None:
        _refuse_gone(drawn, posts, found)
    whole = posts.with_columns(
        reply_id=pl.lit(None, pl.String), part=pl.lit("post"), n_context=pl.lit(0, pl.UInt32)
    )
    columns = ["part", "platform", "community", "post_id", "reply_id", "n_chars", "n_context"]
    units = pl.concat([whole.select(columns), found.with_columns(part=pl.lit("reply")).select(columns)])
    units = units.filter(pl.col("part").is_in(sorted(parts)))
    if units.is_empty():
        raise NothingToLabel
    return units.insert_column(0, _ids(units))


def _posts(store: CorpusStore, scope: RunScope, drawn: pl.DataFrame | None, seed: int) -> pl.DataFrame:
    posts = store.scan_posts().select(
        "platform",
        *POST_KEY,
        n_chars=pl.col("title").fill_null("").str.len_chars() + pl.col("text").fill_null("").str.len_chars(),
    )
    if drawn is not None:
        posts = posts.join(drawn.lazy(), on=POST_KEY, how="semi")
    if scope.communities:
        known = store.communities()
        for name in scope.communities:
            if name not in known:
                raise UnknownCommunity(name, known)
        posts = posts.filter(pl.col("community").is_in(list(scope.communities)))
    found = posts.collect(engine="streaming")
    return found if scope.n_posts is None else _some(found, scope.n_posts, seed)


def _some(posts: pl.DataFrame, n: int, seed: int) -> pl.DataFrame:
    """A simple random sample of posts: the same seed draws the same ones anywhere."""
    if n > posts.height:
        raise TooFewPosts(n, posts.height)
    numbers = RandomNumbers(draw_key(seed, frozenset()), "labelling", "")
    keys = numbers.smallest(n, posts.select(POST_KEY).iter_rows(), "post")
    chosen = pl.DataFrame(keys, schema={"community": pl.String, "post_id": pl.String}, orient="row")
    return posts.join(chosen, on=POST_KEY, how="semi")


def _replies(store: CorpusStore) -> pl.LazyFrame:
    return store.scan_replies().select(
        "platform", *POST_KEY, "reply_id", n_chars=pl.col("text").fill_null("").str.len_chars()
    )


def _refuse_gone(drawn: pl.DataFrame, posts: pl.DataFrame, replies: pl.DataFrame) -> None:
    wanted = drawn.filter(pl.col("reply_id").is_not_null()).unique(REPLY_KEY)
    gone = drawn.unique(POST_KEY).height - posts.height + wanted.height - replies.height
    if gone:
        raise UnitsGone(gone)


def _ids(units: pl.DataFrame) -> pl.Series:
    keys = units.select("community", "post_id", "reply_id").iter_rows()
    return pl.Series("item_id", [item_id(*key) for key in keys], dtype=pl.String)
