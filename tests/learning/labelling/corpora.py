"""Small corpora for tests of labelling, written as an import would leave them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from corpus.records import POST_SCHEMA, REPLY_SCHEMA
from corpus.store import CorpusStore, Manifest

WHEN = datetime(2024, 1, 1, tzinfo=UTC)


def written_corpus(root: Path, sizes: dict[str, list[int]], *, seed: int = 1) -> CorpusStore:
    """`sizes` has by community the number of replies of each post; texts are of any length, nothing too."""
    chance = random.Random(seed)
    store = CorpusStore(root)
    for community, counts in sizes.items():
        posts, replies = [], []
        for number, n_replies in enumerate(counts):
            post_id = f"p{number}"
            posts.append(
                (post_id, community, "reddit", "A title", _text(chance, post_id), None, WHEN, 1, n_replies)
            )
            for n in range(n_replies):
                text = _text(chance, f"{post_id}r{n}")
                about = (None, WHEN, 1, False, False)
                replies.append((f"{post_id}r{n}", post_id, community, "reddit", text, *about))
        folder = store.community_path("first", community)
        folder.mkdir(parents=True)
        _frame(posts, POST_SCHEMA).write_parquet(folder / "posts-0.parquet")
        _frame(replies, REPLY_SCHEMA).write_parquet(folder / "replies-0.parquet")
    with store.locked():
        store.write_manifest(Manifest(communities=dict.fromkeys(sizes, "first")))
    return store


def _text(chance: random.Random, name: str) -> str:
    return f"I am {name}. " + "word " * chance.choice((0, 1, 5, 40)) if chance.random() < 0.95 else ""


def _frame(rows: Sequence[tuple[object, ...]], schema: pl.Schema) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=schema, orient="row")
