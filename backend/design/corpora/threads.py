"""Reads a few posts with their replies from a corpus, for people who want to look at it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpus.store import CorpusStore

THREADS_A_PAGE = 10


@dataclass(frozen=True)
class PostView:
    post_id: str
    title: str
    text: str
    author: str | None
    created: datetime | None
    score: int | None
    n_replies: int


@dataclass(frozen=True)
class ReplyView:
    post_id: str
    text: str
    author: str | None
    created: datetime | None
    score: int | None
    answered_by_poster: bool | None
    accepted_by_poster: bool | None


@dataclass(frozen=True)
class Thread:
    post: PostView
    replies: list[ReplyView]


@dataclass(frozen=True)
class ThreadPage:
    number: int
    has_next: bool
    threads: list[Thread]


def thread_page(store: CorpusStore, community: str, number: int) -> ThreadPage:
    """Oldest first; one post more than shown is read, to know whether there is a next page."""
    found = (
        store.scan_posts(community)
        .sort("created", "post_id", nulls_last=True)
        .slice((number - 1) * THREADS_A_PAGE, THREADS_A_PAGE + 1)
        .select("post_id", "title", "text", "author", "created", "score", "n_replies")
        .collect()
    )
    posts = [PostView(*row) for row in found.iter_rows()]
    shown = posts[:THREADS_A_PAGE]
    replies = _replies(store, community, [post.post_id for post in shown])
    threads = [Thread(post, replies[post.post_id]) for post in shown]
    return ThreadPage(number, len(posts) > THREADS_A_PAGE, threads)


def _replies(store: CorpusStore, community: str, post_ids: list[str]) -> dict[str, list[ReplyView]]:
    import polars as pl

    found = (
        store.scan_replies(community)
        .filter(pl.col("post_id").is_in(post_ids))
        .sort("created", "reply_id", nulls_last=True)
        .select("post_id", "text", "author", "created", "score", "answered_by_poster", "accepted_by_poster")
        .collect()
    )
    by_post: dict[str, list[ReplyView]] = defaultdict(list)
    for row in found.iter_rows():
        by_post[row[0]].append(ReplyView(*row))
    return by_post
