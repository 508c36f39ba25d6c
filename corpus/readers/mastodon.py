"""Reads threads of Mastodon: one status a line, as its API gives them (JSON lines).

A status that answers none is a post, one that answers a post is a reply, and one that answers a reply is nested. A
status names only the one that it answers, so the ids are read once before: they stay in memory, texts do not.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import msgspec
import polars as pl

from corpus.clean_html_column import clean_html_column
from corpus.drops import Reason, drop_counts, first_reason, reason_counts, time_reasons
from corpus.errors import InvalidRules
from corpus.importing import Meter, run_import
from corpus.json_lines import decode_chunk, stage_json_lines
from corpus.lines import line_chunks
from corpus.names import checked_name
from corpus.progress import Clock, ProgressSink, ignore_progress
from corpus.pseudonyms import Pseudonyms
from corpus.publish import ImportRequest
from corpus.records import TIME, ImportRecord
from corpus.registry import Option, Reader
from corpus.rules import ImportRules
from corpus.sources import ByteSource
from corpus.staging import StagedChunk, Staging
from corpus.store import CorpusStore
from corpus.texts import post_digests

# Also in the address of a profile, which names a person as well; not in an e-mail address
_MENTION = re.compile(r"(?<![\w.])@(\w+(?:[.-]+\w+)*)(?:@(\w+(?:[.-]+\w+)*))?", re.ASCII)
_PROFILE = re.compile(r"https?://([\w.-]+)/(?:@|users/)(\w+)", re.ASCII)
_SEEN_BY_ALL = ["public", "unlisted"]


class _Ids(msgspec.Struct, gc=False):
    id: str | int = ""
    in_reply_to_id: str | int | None = None


class _Account(msgspec.Struct, gc=False):
    acct: str = ""


class _Mention(msgspec.Struct, gc=False):
    acct: str = ""
    username: str = ""


class Status(msgspec.Struct, gc=False):
    """`reblog` is there where it repeats another one."""

    id: str | int = ""
    in_reply_to_id: str | int | None = None
    account: _Account | None = None
    created_at: datetime | None = None
    content: str | None = None
    spoiler_text: str | None = None
    language: str | None = None
    visibility: str | None = None
    favourites_count: int | None = None
    mentions: list[_Mention] | None = None
    reblog: _Ids | None = None


def import_mastodon(
    store: CorpusStore,
    *,
    statuses: Sequence[Path],
    community: str,
    rules: ImportRules,
    key: bytes,
    now: Clock,
    languages: Collection[str] | None = None,
    replace: bool = False,
    on_progress: ProgressSink = ignore_progress,
) -> ImportRecord:
    """All statuses become one community, which stands for the server where a name has none. With `languages` only
    those, as codes such as `en`."""
    if not statuses:
        raise InvalidRules("A Mastodon import needs at least one file of statuses.")
    wanted = sorted({language.lower() for language in languages or ()})
    pseudonyms = Pseudonyms(key)
    request = ImportRequest(
        platform="mastodon",
        paths=list(statuses),
        rules=rules,
        scope=[pseudonyms.fingerprint, checked_name("community", community), *wanted],
        communities=[community],
        replace=replace,
        has_nested=True,
    )

    def stage(staging: Staging, meter: Meter) -> None:
        decoder = msgspec.json.Decoder(Status)
        unread = [number for number in range(len(statuses)) if not staging.place(number).ended]
        if not unread:
            return
        reading = _Reading(community, wanted, rules, pseudonyms, _answered_replies(statuses, rules))
        with staging.background() as writer:
            for number in unread:
                place = staging.place(number)
                stage_json_lines(
                    statuses[number], number, place, rules, decoder, reading.prepare, writer, meter
                )

    return run_import(store, request, stage, on_progress=on_progress, now=now)


def _answered_replies(paths: Sequence[Path], rules: ImportRules) -> Mapping[str, str]:
    """Of each reply that another status answers, which status it answers itself."""
    decoder, frames = msgspec.json.Decoder(_Ids), []
    for path in paths:
        with ByteSource(path, rules.limits) as source:
            for chunk in line_chunks(source, rules.limits):
                found, _ = decode_chunk(decoder, chunk, path, skip_broken=rules.skip_broken_lines)
                pairs = [(str(each.id), str(each.in_reply_to_id)) for each in found if each.in_reply_to_id]
                frames.append(
                    pl.DataFrame(pairs, schema={"id": pl.String, "parent": pl.String}, orient="row")
                )
    replies = pl.concat(frames)
    answered = replies.join(replies, left_on="id", right_on="parent", how="semi")
    return dict(answered.unique("id", keep="first", maintain_order=True).iter_rows())


@dataclass(frozen=True)
class _Reading:
    community: str
    languages: Sequence[str]
    rules: ImportRules
    pseudonyms: Pseudonyms
    answered: Mapping[str, str]

    def prepare(self, records: Sequence[Status], broken: int) -> Callable[[], StagedChunk]:
        return partial(self._chunk, records, broken)

    def _columns(self, records: Sequence[Status]) -> pl.DataFrame:
        parents = [str(each.in_reply_to_id) if each.in_reply_to_id else None for each in records]
        accounts = [each.account.acct if each.account else None for each in records]
        authors = self.pseudonyms.of_all(self._whole_name(name) if name else None for name in accounts)
        text = clean_html_column(pl.Series([each.content or "" for each in records], dtype=pl.String))
        titles = [_unix(each.spoiler_text or "") for each in records]
        return pl.DataFrame(
            {
                "id": pl.Series([str(each.id) for each in records], dtype=pl.String),
                "parent": pl.Series(parents, dtype=pl.String),
                "thread": pl.Series([self.answered.get(each or "") for each in parents], dtype=pl.String),
                "title": self._without_names(pl.Series(titles, dtype=pl.String), records),
                "text": self._without_names(text, records),
                "author": pl.Series(authors, dtype=pl.String),
                "created": pl.Series([_utc(each.created_at) for each in records], dtype=TIME),
                "score": pl.Series([each.favourites_count for each in records], dtype=pl.Int64),
                "language": pl.Series([each.language for each in records], dtype=pl.String),
                "visibility": pl.Series([each.visibility for each in records], dtype=pl.String),
                "boost": pl.Series([each.reblog is not None for each in records], dtype=pl.Boolean),
                "community": pl.Series([self.community] * len(records), dtype=pl.String),
            }
        )

    def _chunk(self, records: Sequence[Status], broken: int) -> StagedChunk:
        frame = self._columns(records).with_columns(drop=first_reason(*self._reasons()))
        posts, post_drops = self._posts(frame.filter(pl.col("parent").is_null()))
        answers = frame.filter(pl.col("parent").is_not_null())
        nested = answers.filter((pl.col("drop") == "nested_comment") & pl.col("author").is_not_null())
        replies = answers.filter(pl.col("drop").is_null())
        reply_drops = reason_counts(answers)
        post_drops["broken_line"] += broken
        return StagedChunk(
            {
                "posts": posts,
                "replies": replies.select(
                    pl.col("id").alias("reply_id"),
                    pl.col("parent").alias("post_id"),
                    "community",
                    "text",
                    "author",
                    "created",
                    "score",
                ),
                "nested": nested.select(
                    pl.col("parent").alias("parent_id"), pl.col("thread").alias("post_id"), "author"
                ),
            },
            posts_read=frame.height - answers.height + broken,
            replies_read=answers.height,
            drops=drop_counts("post", post_drops) + drop_counts("reply", reply_drops),
        )

    def _reasons(self) -> list[Reason]:
        """What is not for all to see comes first: of that nothing but the number is kept."""
        reasons: list[Reason] = [
            (~pl.col("visibility").is_in(_SEEN_BY_ALL).fill_null(False), "not_public"),
            (pl.col("id") == "", "no_id"),
            (pl.col("boost"), "boost"),
            *time_reasons(self.rules.cutoff),
        ]
        if self.languages:
            language = pl.col("language").str.to_lowercase().str.split("-").list.first()
            reasons.append((~language.is_in(self.languages).fill_null(False), "other_language"))
        blank = ~pl.col("text").str.contains(r"\S")
        if self.rules.keep_title_only_posts:
            blank = blank & ~(pl.col("parent").is_null() & pl.col("title").str.contains(r"\S"))
        return [*reasons, (pl.col("thread").is_not_null(), "nested_comment"), (blank, "empty_text")]

    def _posts(self, frame: pl.DataFrame) -> tuple[pl.DataFrame, Counter[str]]:
        """Dropped posts stay as bare ids, so that their replies are told apart from orphans."""
        drops = reason_counts(frame)
        alive = pl.col("drop").is_null()
        frame = frame.filter(pl.col("id") != "").with_columns(
            *(
                pl.when(alive).then(name).alias(name)
                for name in ("title", "text", "author", "created", "score")
            )
        )
        return frame.select(
            pl.col("id").alias("post_id"),
            *("community", "title", "text", "author", "created", "score", "drop"),
            post_digests(frame["title"], frame["text"]),
            pl.lit(None, pl.String).alias("accepted_id"),
        ), drops

    def _without_names(self, texts: pl.Series, records: Sequence[Status]) -> pl.Series:
        """Only the few texts that may name somebody leave Polars."""
        places = texts.str.contains_any(["@", "/users/"]).arg_true()
        if places.is_empty():
            return texts
        hidden = [
            self._hide_names(text, records[place].mentions or ())
            for place, text in zip(places, texts.gather(places), strict=True)
        ]
        return texts.scatter(places, hidden)

    def _hide_names(self, text: str, mentions: Collection[_Mention]) -> str:
        """A text shows a name without its server; the mentions of its status have it."""
        servers = {each.username.lower(): each.acct for each in mentions}

        def of_mention(match: re.Match[str]) -> str:
            name, server = match[1], match[2]
            whole = f"{name}@{server}" if server else servers.get(name.lower(), name)
            return f"@{self.pseudonyms.of(self._whole_name(whole))}"

        text = _PROFILE.sub(lambda match: f"@{match[2]}@{match[1]}", text)
        return _MENTION.sub(of_mention, text)

    def _whole_name(self, acct: str) -> str:
        """People of the server that the dump is from have no server in their name."""
        return acct if "@" in acct else f"{acct}@{self.community}"


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")


def _utc(moment: datetime | None) -> datetime | None:
    if moment is None:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


READER = Reader(
    kind="mastodon",
    label="Mastodon",
    about="Threads of Mastodon, one status a line, as its API gives them. What is not public is left out.",
    options=(
        Option(name="statuses", takes="files", label="Statuses", help="JSON lines, plain, .gz or .zst."),
        Option(
            name="community",
            takes="text",
            label="Community",
            help="The name that they get in the corpus, such as that of the server.",
        ),
        Option(
            name="languages",
            takes="names",
            label="Only these languages",
            help="Codes such as en; empty for all.",
            is_required=False,
        ),
    ),
    read=import_mastodon,
)
