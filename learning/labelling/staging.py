"""Writes the texts of a run's shards, a handful of shards at a time, so that memory does not grow with the corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO

import polars as pl

from annotation.answers import ItemText
from corpus.atomic_files import replace_file
from corpus.store import CorpusStore
from learning.labelling.folder import RunFolder, ShardTexts, shards_in
from learning.labelling.units import POST_KEY, REPLY_KEY

TEXT_SCHEMA = pl.Schema(
    {
        "item_id": pl.String(),
        "part": pl.String(),
        "title": pl.String(),
        "post": pl.String(),
        "reply": pl.String(),
    }
)
# So many characters are in memory at once, each of up to four bytes
CHARS_AT_ONCE = 64_000_000
Report = Callable[[int, int], None]


class TextsGone(ValueError):
    def __init__(self) -> None:
        super().__init__("The corpus changed while its texts were read: start a new run on it.")


def write_texts(
    texts: ShardTexts,
    run: RunFolder,
    store: CorpusStore,
    units: pl.DataFrame,
    *,
    at_once: int = CHARS_AT_ONCE,
    report: Report = lambda done, total: None,
) -> None:
    """Of every shard that has neither its texts nor its labels yet. `units` as `make_shards` gives them."""
    texts.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    shards = units["shard"].unique(maintain_order=True).to_list()
    there = shards_in(texts.folder) | run.written_shards()
    missing = [shard for shard in shards if shard not in there]
    total, done = len(shards), len(shards) - len(missing)
    for several in _groups(units.filter(pl.col("shard").is_in(missing)), at_once):
        report(done, total)
        for shard, frame in _texts(store, several):
            replace_file(texts.of(shard), _parquet(frame))
            done += 1
    report(done, total)
    texts.staged.touch()


def _groups(units: pl.DataFrame, at_once: int) -> Iterator[pl.DataFrame]:
    """Whole shards together, as many as fit."""
    sizes = units.group_by("shard", maintain_order=True).agg(
        (pl.col("n_chars").cast(pl.Int64) + pl.col("n_context").cast(pl.Int64)).sum().alias("size")
    )
    group: list[int] = []
    held = 0
    for shard, size in sizes.iter_rows():
        if group and held + size > at_once:
            yield units.filter(pl.col("shard").is_in(group))
            group, held = [], 0
        group.append(shard)
        held += size
    if group:
        yield units.filter(pl.col("shard").is_in(group))


def _texts(store: CorpusStore, units: pl.DataFrame) -> Iterator[tuple[int, pl.DataFrame]]:
    posts = (
        store.scan_posts()
        .join(units.lazy().select(POST_KEY).unique(), on=POST_KEY, how="semi")
        .select(*POST_KEY, pl.col("title").fill_null(""), pl.col("text").fill_null("").alias("post"))
        .collect(engine="streaming")
    )
    replies = (
        store.scan_replies()
        .join(units.lazy().select(REPLY_KEY).drop_nulls(), on=REPLY_KEY, how="semi")
        .select(*REPLY_KEY, pl.col("text").fill_null("").alias("reply"))
        .collect(engine="streaming")
    )
    found = units.join(posts, on=POST_KEY, how="inner", maintain_order="left").join(
        replies, on=REPLY_KEY, how="left", maintain_order="left"
    )
    is_missing = (pl.col("part") == "reply") & pl.col("reply").is_null()
    if found.height != units.height or found.select(is_missing.any()).item():
        raise TextsGone
    for key, own in found.group_by("shard", maintain_order=True):
        yield int(str(key[0])), own.select(list(TEXT_SCHEMA))


def _parquet(frame: pl.DataFrame) -> bytes:
    written = BytesIO()
    frame.write_parquet(written, compression="zstd", statistics=False)
    return written.getvalue()


def read_texts(content: bytes) -> tuple[str, tuple[ItemText, ...]]:
    """The part that a shard's units are of, and their texts in the order of its file."""
    frame = pl.read_parquet(BytesIO(content), schema=TEXT_SCHEMA)
    (part,) = frame["part"].unique()
    rows = frame.select("item_id", "title", "post", "reply").iter_rows()
    return part, tuple(ItemText(*row) for row in rows)
