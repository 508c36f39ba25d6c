"""Brings in data that a team already has: tables with a post and a reply in each row."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from functools import partial
from itertools import islice
from pathlib import Path

import polars as pl

from corpus.cells import text_cells, time_cells, whole_cells
from corpus.drops import drop_counts, first_reason, reason_counts, time_reasons
from corpus.errors import InvalidName, InvalidRules, WrongType
from corpus.importing import Meter, run_import
from corpus.names import checked_name
from corpus.progress import Clock, ProgressSink, ignore_progress
from corpus.pseudonyms import Pseudonyms
from corpus.publish import ImportRequest
from corpus.records import TIME, ImportRecord
from corpus.rules import ImportRules
from corpus.staging import Place, StagedChunk, Staging
from corpus.store import CorpusStore
from corpus.tables import TableBatch, read_table
from corpus.texts import hide_mentions, is_removed, post_digests, text_digest


@dataclass(frozen=True)
class PairColumns:
    """Which column holds what. Without id columns, ids are made from the texts."""

    post_text: str
    reply_text: str
    post_id: str | None = None
    reply_id: str | None = None
    title: str | None = None
    community: str | None = None
    post_author: str | None = None
    reply_author: str | None = None
    post_created: str | None = None
    reply_created: str | None = None
    post_score: str | None = None
    reply_score: str | None = None

    def names(self) -> list[str]:
        return list(dict.fromkeys(name for name in astuple(self) if name is not None))


def import_pairs(
    store: CorpusStore,
    *,
    path: Path,
    columns: PairColumns,
    rules: ImportRules,
    key: bytes,
    now: Clock,
    community: str | None = None,
    replace: bool = False,
    on_progress: ProgressSink = ignore_progress,
) -> ImportRecord:
    """Give `community`, or a community column in the mapping. A row without a reply is a post without one."""
    if (community is None) == (columns.community is None):
        raise InvalidRules(
            "Give either the name of one community or a community column, not both and not neither."
        )
    known = [] if community is None else [checked_name("community", community)]
    pseudonyms = Pseudonyms(key)
    mapping = [f"{field.name}={getattr(columns, field.name)}" for field in fields(columns)]
    request = ImportRequest(
        platform="pairs",
        paths=[path],
        rules=rules,
        scope=[pseudonyms.fingerprint, *known, *mapping],
        communities=known,
        replace=replace,
    )
    reading = _Reading(path, columns, community, rules, pseudonyms)

    def stage(staging: Staging, meter: Meter) -> None:
        place = staging.place(0)
        if not place.ended:
            reading.stage(staging, meter, place.records)

    return run_import(store, request, stage, on_progress=on_progress, now=now)


@dataclass(frozen=True)
class PairPreview:
    """A row as an import would read it; `left_out` says why it would drop the post or the reply."""

    community: str
    post_id: str
    title: str
    post_text: str
    reply_id: str | None
    reply_text: str | None
    left_out: tuple[str, ...]


def preview_pairs(
    path: Path, *, columns: PairColumns, rules: ImportRules, key: bytes, community: str | None, rows: int = 3
) -> list[PairPreview]:
    """The first rows, read by the code that imports them."""
    reading = _Reading(path, columns, community, rules, Pseudonyms(key))
    batches = read_table(path, columns.names(), rules.limits, batch_rows=1)
    return [reading.preview(batch) for batch in islice(batches, rows)]


@dataclass(frozen=True)
class _Reading:
    path: Path
    columns: PairColumns
    community: str | None
    rules: ImportRules
    pseudonyms: Pseudonyms

    def stage(self, staging: Staging, meter: Meter, skip: int) -> None:
        rows = skip
        size = self.path.stat().st_size
        with staging.background() as writer:
            for batch in read_table(self.path, self.columns.names(), self.rules.limits, skip=skip):
                rows = batch.first_row + batch.height - 1
                writer.submit(0, Place(0, rows), partial(self._chunk, batch))
                meter.at(0, 0, rows)
            writer.submit(0, Place(0, rows, ended=True), StagedChunk)
            meter.at(0, size, rows)

    def _chunk(self, batch: TableBatch) -> StagedChunk:
        communities = self._communities(batch)
        posts = self._posts(batch, communities)
        replies = self._replies(batch, communities, posts["post_id"])
        post_drops, reply_drops = reason_counts(posts), reason_counts(replies)
        return StagedChunk(
            {"posts": posts, "replies": replies.filter(pl.col("drop").is_null()).drop("drop")},
            posts_read=posts.height,
            replies_read=replies.height,
            drops=drop_counts("post", post_drops) + drop_counts("reply", reply_drops),
        )

    def preview(self, row: TableBatch) -> PairPreview:
        communities = self._communities(row)
        posts = self._posts(row, communities)
        replies = self._replies(row, communities, posts["post_id"])
        post = posts.row(0, named=True)
        reply = replies.row(0, named=True) if replies.height else {}
        reasons = [("post", post["drop"]), ("reply", reply.get("drop"))]
        return PairPreview(
            community=communities[0],
            post_id=post["post_id"],
            title=post["title"],
            post_text=post["text"],
            reply_id=reply.get("reply_id"),
            reply_text=reply.get("text"),
            left_out=tuple(f"{part}: {reason.replace('_', ' ')}" for part, reason in reasons if reason),
        )

    def _communities(self, batch: TableBatch) -> list[str]:
        if self.community is not None:
            return [self.community] * batch.height
        names: list[str] = []
        for row, name in enumerate(
            text_cells(self.path, batch, self.columns.community), start=batch.first_row
        ):
            try:
                names.append(checked_name("community", name or ""))
            except InvalidName as error:
                raise WrongType(
                    self.path,
                    f"row {row:,}, column {self.columns.community!r}",
                    str(error),
                    "Nothing was imported.",
                ) from error
        return names

    def _posts(self, batch: TableBatch, communities: Sequence[str]) -> pl.DataFrame:
        columns, path = self.columns, self.path
        titles = [_unix(title) for title in text_cells(path, batch, columns.title)]
        texts = [_unix(text) for text in text_cells(path, batch, columns.post_text)]
        ids = self._ids(
            batch, columns.post_id, [f"{title}\x00{text}" for title, text in zip(titles, texts, strict=True)]
        )
        frame = pl.DataFrame(
            {
                "post_id": pl.Series(ids, dtype=pl.String),
                "community": pl.Series(communities, dtype=pl.String),
                "title": pl.Series(titles, dtype=pl.String),
                "text": pl.Series(texts, dtype=pl.String),
                "author": self._authors(batch, columns.post_author),
                "created": pl.Series(time_cells(path, batch, columns.post_created), dtype=TIME),
                "score": pl.Series(whole_cells(path, batch, columns.post_score), dtype=pl.Int64),
                "accepted_id": pl.Series([None] * batch.height, dtype=pl.String),
                "digest": post_digests(titles, texts),
            }
        )
        blank_text, blank_title = _blank("text"), _blank("title")
        empty = blank_text & blank_title if self.rules.keep_title_only_posts else blank_text
        removed = is_removed(pl.col("text")) | is_removed(pl.col("title"))
        frame = frame.with_columns(
            drop=first_reason(
                *self._time_reasons(columns.post_created), (removed, "removed"), (empty, "empty_text")
            )
        )
        return hide_mentions(hide_mentions(frame, "title", self.pseudonyms), "text", self.pseudonyms)

    def _replies(self, batch: TableBatch, communities: Sequence[str], post_ids: pl.Series) -> pl.DataFrame:
        """Rows where neither id nor text of a reply is filled are posts without replies."""
        columns, path = self.columns, self.path
        texts = [_unix(text) for text in text_cells(path, batch, columns.reply_text)]
        ids = self._ids(
            batch, columns.reply_id, [f"{post}\x00{text}" for post, text in zip(post_ids, texts, strict=True)]
        )
        given = text_cells(path, batch, columns.reply_id)
        frame = pl.DataFrame(
            {
                "reply_id": pl.Series(ids, dtype=pl.String),
                "post_id": post_ids,
                "community": pl.Series(communities, dtype=pl.String),
                "text": pl.Series(texts, dtype=pl.String),
                "author": self._authors(batch, columns.reply_author),
                "created": pl.Series(time_cells(path, batch, columns.reply_created), dtype=TIME),
                "score": pl.Series(whole_cells(path, batch, columns.reply_score), dtype=pl.Int64),
                "absent": [text == "" and not name for text, name in zip(texts, given, strict=True)],
            }
        )
        frame = frame.filter(~pl.col("absent")).drop("absent")
        reasons = [
            *self._time_reasons(columns.reply_created),
            (is_removed(pl.col("text")), "removed"),
            (_blank("text"), "empty_text"),
        ]
        return hide_mentions(frame.with_columns(drop=first_reason(*reasons)), "text", self.pseudonyms)

    def _ids(self, batch: TableBatch, column: str | None, contents: list[str]) -> list[str]:
        if column is None:
            return [text_digest(content).hex() for content in contents]
        ids: list[str] = []
        for row, name in enumerate(text_cells(self.path, batch, column), start=batch.first_row):
            if name is None and column == self.columns.post_id:
                place = f"row {row:,}, column {column!r}"
                raise WrongType(self.path, place, "the post has no id.", "Nothing was imported.")
            ids.append(name if name is not None else text_digest(contents[row - batch.first_row]).hex())
        return ids

    def _authors(self, batch: TableBatch, column: str | None) -> pl.Series:
        return pl.Series(self.pseudonyms.of_all(text_cells(self.path, batch, column)), dtype=pl.String)

    def _time_reasons(self, column: str | None) -> list[tuple[pl.Expr, str]]:
        """A table without times cannot be cut off; one with times can."""
        return time_reasons(self.rules.cutoff) if column is not None else []


def _unix(text: str | None) -> str:
    return (text or "").replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")


def _blank(column: str) -> pl.Expr:
    return ~pl.col(column).str.contains(r"\S")
