"""Fetches the texts of drawn items from the corpus, reading only the rows that were drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import polars as pl

    from corpus.store import CorpusStore


class Named(Protocol):
    """An item by its places in the corpus, drawn or stored."""

    @property
    def community(self) -> str: ...
    @property
    def post_id(self) -> str: ...
    @property
    def reply_id(self) -> str | None: ...


@dataclass(frozen=True)
class PostText:
    platform: str
    title: str
    text: str


@dataclass(frozen=True)
class ItemTexts:
    """Both by (community, id)."""

    posts: dict[tuple[str, str], PostText]
    replies: dict[tuple[str, str], str]


def texts_of(store: CorpusStore, items: Sequence[Named]) -> ItemTexts:
    posts = _rows(
        store.scan_posts(),
        [(item.community, item.post_id) for item in items],
        "post_id",
        ["platform", "title", "text"],
    )
    replies = _rows(
        store.scan_replies(),
        [(item.community, item.reply_id) for item in items if item.reply_id is not None],
        "reply_id",
        ["text"],
    )
    return ItemTexts(
        posts={key: PostText(*values) for key, values in posts.items()},
        replies={key: values[0] for key, values in replies.items()},
    )


def _rows(
    frame: pl.LazyFrame, keys: list[tuple[str, str]], id_column: str, columns: list[str]
) -> dict[tuple[str, str], tuple[str, ...]]:
    import polars as pl

    wanted = pl.LazyFrame(
        sorted(set(keys)), schema={"community": pl.String, id_column: pl.String}, orient="row"
    )
    found = frame.join(wanted, on=["community", id_column], how="semi").select(
        "community", id_column, *columns
    )
    return {(row[0], row[1]): row[2:] for row in found.collect().iter_rows()}
