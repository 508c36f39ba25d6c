"""The second half of an import: kept rows by community, made visible by one rename and one manifest."""

import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import polars as pl

from corpus.atomic_files import sync_directory
from corpus.errors import CommunityExists
from corpus.progress import Clock
from corpus.records import (
    POST_SCHEMA,
    REPLY_SCHEMA,
    CommunityCount,
    DropCount,
    ImportRecord,
    SourceFile,
)
from corpus.resolve import Resolution, resolve
from corpus.rules import ImportRules
from corpus.staging import Staging, Stem, write_parquet
from corpus.store import CorpusStore, Manifest

_ROWS_IN_MEMORY = 25_000


@dataclass(frozen=True)
class ImportRequest:
    """`scope` is whatever else decides the outcome: a filter, a column mapping, the key's fingerprint.

    `communities` are the names known beforehand, so that a conflict shows before hours of reading. With `has_nested`
    or `has_accepted` it is known which replies the poster answered or accepted.
    """

    platform: str
    paths: Sequence[Path]
    rules: ImportRules
    scope: Sequence[str]
    communities: Sequence[str]
    replace: bool
    has_nested: bool = False
    has_accepted: bool = False


@dataclass(frozen=True)
class ImportPlan:
    """`id` follows from what was asked for, so the same request is recognised when it comes again."""

    id: str
    request: ImportRequest
    sources: tuple[SourceFile, ...]
    started: datetime


def publish(store: CorpusStore, staging: Staging, plan: ImportPlan, now: Clock) -> ImportRecord:
    """Callers hold the store's lock."""
    resolution = resolve(
        staging,
        plan.request.rules,
        has_nested=plan.request.has_nested,
        has_accepted=plan.request.has_accepted,
    )
    ready = staging.path / "ready"
    shutil.rmtree(ready, ignore_errors=True)
    ready.mkdir()
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="corpus-publish") as pool:
        kept_posts = _kept_rows(staging, "posts", resolution.posts, POST_SCHEMA, plan.request.platform)
        posts = _write_parts(ready, "posts", kept_posts, pool)
        kept_replies = _kept_rows(staging, "replies", resolution.replies, REPLY_SCHEMA, plan.request.platform)
        replies = _write_parts(ready, "replies", kept_replies, pool)
    record = _record(plan, staging, resolution, posts, replies, now())
    _commit(store, staging, ready, record, replace=plan.request.replace)
    return record


def _kept_rows(
    staging: Staging, stem: Stem, fates: pl.DataFrame, schema: pl.Schema, platform: str
) -> Iterator[pl.DataFrame]:
    """The rows that are to stay, chunk by chunk; `fates` has one row per staged row."""
    start = 0
    for path in staging.files(stem):
        frame = pl.read_parquet(path)
        here = fates.slice(start, frame.height)
        start += frame.height
        yield (
            frame.hstack(here)
            .filter("keep")
            .with_columns(platform=pl.lit(platform))
            .select(schema.names())
            .cast(schema)
        )


@dataclass
class _PartWriter:
    """Gathers rows by community and writes the fullest community out when too many are held.

    One part is written in the background while the next is gathered; more at once would cost too much memory.
    """

    ready: Path
    stem: Stem
    pool: ThreadPoolExecutor
    writing: Future[None] | None = None
    held: dict[str, list[pl.DataFrame]] = field(default_factory=dict)
    held_rows: dict[str, int] = field(default_factory=dict)
    parts: dict[str, int] = field(default_factory=dict)
    written: dict[str, int] = field(default_factory=dict)

    def add(self, community: str, frame: pl.DataFrame) -> None:
        self.held.setdefault(community, []).append(frame)
        self.held_rows[community] = self.held_rows.get(community, 0) + frame.height
        while sum(self.held_rows.values()) > _ROWS_IN_MEMORY:
            self.flush(max(self.held_rows, key=self.held_rows.__getitem__))

    def flush(self, community: str) -> None:
        frame = pl.concat(self.held.pop(community))
        rows = self.held_rows.pop(community)
        number = self.parts.get(community, 0)
        directory = self.ready / "communities" / community
        directory.mkdir(parents=True, exist_ok=True)
        self.wait()
        target = directory / f"{self.stem}-{number:05d}.parquet"
        self.writing = self.pool.submit(write_parquet, frame, target, compression="zstd")
        self.parts[community] = number + 1
        self.written[community] = self.written.get(community, 0) + rows

    def wait(self) -> None:
        if self.writing is not None:
            self.writing.result()


def _write_parts(
    ready: Path, stem: Stem, frames: Iterator[pl.DataFrame], pool: ThreadPoolExecutor
) -> dict[str, int]:
    writer = _PartWriter(ready, stem, pool)
    for frame in frames:
        for (community,), rows in frame.partition_by("community", as_dict=True, maintain_order=True).items():
            writer.add(str(community), rows)
    for community in sorted(writer.held):
        writer.flush(community)
    writer.wait()
    return writer.written


def _record(
    plan: ImportPlan,
    staging: Staging,
    resolution: Resolution,
    posts: dict[str, int],
    replies: dict[str, int],
    finished: datetime,
) -> ImportRecord:
    drops = staging.drops() + resolution.drops
    return ImportRecord(
        id=plan.id,
        platform=plan.request.platform,
        sources=plan.sources,
        rules=plan.request.rules,
        started=plan.started,
        finished=finished,
        posts_read=sum(entry.posts_read for entry in staging.entries),
        posts_kept=sum(posts.values()),
        replies_read=sum(entry.replies_read for entry in staging.entries),
        replies_kept=sum(replies.values()),
        drops=tuple(DropCount(kind, reason, count) for (kind, reason), count in sorted(drops.items())),
        communities=tuple(CommunityCount(name, posts[name], replies.get(name, 0)) for name in sorted(posts)),
    )


def _commit(
    store: CorpusStore, staging: Staging, ready: Path, record: ImportRecord, *, replace: bool
) -> None:
    manifest = store.manifest()
    names = [community.name for community in record.communities]
    check_free(manifest, record.id, names, replace=replace)
    target = store.import_path(record.id)
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    ready.rename(target)
    sync_directory(target.parent)
    replaced = {
        name: owner for name, owner in manifest.communities.items() if name in names and owner != record.id
    }
    store.write_manifest(
        Manifest(
            communities={**manifest.communities, **dict.fromkeys(names, record.id)},
            imports=(*(old for old in manifest.imports if old.id != record.id), record),
            labels=manifest.labels,
        )
    )
    for name, owner in replaced.items():
        shutil.rmtree(store.community_path(owner, name), ignore_errors=True)
    staging.discard()


def check_free(manifest: Manifest, import_id: str, names: list[str], *, replace: bool) -> None:
    taken = sorted(name for name in names if manifest.communities.get(name, import_id) != import_id)
    if taken and not replace:
        raise CommunityExists(taken)
