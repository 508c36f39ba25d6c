"""Unrelated posts for a probe from a corpus, and the file in which they reach the ML backend."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
import numpy as np
import polars as pl

from corpus.atomic_files import replace_file
from corpus.store import CorpusStore
from learning.probe.variants import UnrelatedPost

_POST = ("community", "platform", "post_id")


def posts_of_corpus(store: CorpusStore, *, n: int, seed: int) -> tuple[UnrelatedPost, ...]:
    """At most n at random, each with its first reply if it has one. Posts without a text are left out."""
    has_text = pl.col("text").str.strip_chars() != ""
    keys = store.scan_posts().filter(has_text).select(_POST).sort(_POST).collect()
    places = np.random.default_rng(seed).permutation(len(keys))[:n]
    drawn = keys[sorted(places.tolist())].lazy()
    replies = (
        store.scan_replies()
        .filter(has_text)
        .join(drawn, on=_POST, how="semi")
        .sort(*_POST, "created", "reply_id")
        .group_by(_POST, maintain_order=True)
        .agg(pl.col("text").first().alias("reply"))
    )
    found = store.scan_posts().join(drawn, on=_POST, how="semi").join(replies, on=_POST, how="left")
    rows = found.sort(_POST).select("text", pl.col("reply").fill_null("")).collect().iter_rows()
    return tuple(UnrelatedPost(post.strip(), reply.strip()) for post, reply in rows)


def write_unrelated(path: Path, posts: Iterable[UnrelatedPost]) -> None:
    """A post a line, with its reply, as `read_unrelated` reads it."""
    lines = (msgspec.json.encode({"post": each.post, "reply": each.reply}) + b"\n" for each in posts)
    replace_file(path, b"".join(lines))
