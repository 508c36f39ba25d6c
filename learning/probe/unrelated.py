"""Unrelated posts for a probe: from a file of posts, or from a release itself where there is none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from annotation.release.read import ReadRelease
from annotation.release.rows import SplitPart
from corpus.cells import text_cells
from corpus.errors import BrokenEncoding, MissingColumn
from corpus.lines import line_chunks
from corpus.rules import ReadLimits
from corpus.sources import ByteSource
from corpus.tables import read_table
from learning.probe.variants import UnrelatedPost, has_reply

# Looked for in this order where no column is named.
POST_COLUMNS = ("post", "text", "utterance", "context")
REPLY_COLUMNS = ("reply", "response")


class NoUnrelatedPosts(ValueError):
    def __init__(self) -> None:
        super().__init__(
            "There is no post that is not among the measured ones: give a file with posts about something else."
        )


class PostColumnUnknown(ValueError):
    def __init__(self, problem: MissingColumn) -> None:
        super().__init__(f"{problem} Call the column of the posts “post”, or name it with --post-column.")


def read_unrelated(
    path: Path, *, post_column: str | None = None, reply_column: str | None = None
) -> tuple[UnrelatedPost, ...]:
    """A post a line from .txt, a post a row from .csv, .jsonl or .parquet, with its reply if there is such a column.

    Empty posts are left out, and what is there twice is there once.
    """
    found = _lines(path) if path.suffix.lower() == ".txt" else _rows(path, post_column, reply_column)
    return tuple(dict.fromkeys(each for each in found if each.post))


def _lines(path: Path) -> Iterator[UnrelatedPost]:
    with ByteSource(path, ReadLimits()) as source:
        for chunk in line_chunks(source, ReadLimits()):
            try:
                text = chunk.data.decode("utf-8-sig" if chunk.first_line == 1 else "utf-8")
            except UnicodeDecodeError as error:
                line = chunk.first_line + chunk.data.count(b"\n", 0, error.start)
                raise BrokenEncoding(
                    path, f"line {line:,}", "the text is not UTF-8.", "Save the file as UTF-8."
                ) from error
            yield from (UnrelatedPost(line.strip()) for line in text.split("\n"))


def _rows(path: Path, post_column: str | None, reply_column: str | None) -> Iterator[UnrelatedPost]:
    post = post_column or _first_column(path, POST_COLUMNS)
    reply = reply_column or _first_column(path, REPLY_COLUMNS, is_needed=False)
    columns = [post, reply] if reply else [post]
    try:
        for batch in read_table(path, columns, ReadLimits()):
            posts, replies = text_cells(path, batch, post), text_cells(path, batch, reply or None)
            for one, other in zip(posts, replies, strict=True):
                yield UnrelatedPost((one or "").strip(), (other or "").strip())
    except MissingColumn as problem:
        raise PostColumnUnknown(problem) from problem


def _first_column(path: Path, names: Sequence[str], *, is_needed: bool = True) -> str:
    """Of those that the first row has; empty where none is needed and there is none."""
    for name in names:
        try:
            next(read_table(path, [name], ReadLimits(), batch_rows=1), None)
        except MissingColumn as problem:
            missing = problem
        else:
            return name
    if is_needed:
        raise PostColumnUnknown(missing) from missing
    return ""


def posts_of_release(release: ReadRelease, measured: SplitPart) -> tuple[UnrelatedPost, ...]:
    """Of the other parts, with the replies: posts of other people, though about the same kind of thing."""
    return tuple(
        dict.fromkeys(
            UnrelatedPost(texts.post.strip(), (texts.reply or "").strip())
            for row in release.rows
            if row.split is not measured and has_reply(row) and (texts := row.item.texts) is not None
        )
    )


def draw_unrelated(
    posts: Sequence[UnrelatedPost], release: ReadRelease, measured: SplitPart, *, n: int, seed: int
) -> tuple[UnrelatedPost, ...]:
    """At most n at random, none that is in the measured part."""
    rows = [row.item.texts for row in release.rows if row.split is measured]
    own = {texts.post.strip() for texts in rows if texts is not None}
    apart = [each for each in posts if each.post not in own]
    if not apart:
        raise NoUnrelatedPosts
    rng = np.random.default_rng(seed)
    chosen = sorted(rng.permutation(len(apart))[:n].tolist())
    return tuple(apart[at] for at in chosen)
