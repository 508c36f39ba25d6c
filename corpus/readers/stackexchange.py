"""Reads a Stack Exchange dump: Posts.xml as it is, compressed, or inside the site's .7z."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace as replaced
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from corpus.clean_html_column import clean_html_column
from corpus.drops import drop_counts, first_reason, reason_counts, time_reasons
from corpus.errors import EmptySource, LineTooLong, WrongType
from corpus.importing import Meter, run_import
from corpus.lines import line_chunks
from corpus.names import checked_name
from corpus.progress import Clock, ProgressSink, ignore_progress
from corpus.pseudonyms import Pseudonyms
from corpus.publish import ImportRequest
from corpus.records import ImportRecord
from corpus.registry import Option, Reader
from corpus.rules import ImportRules
from corpus.sources import ByteSource
from corpus.staging import BackgroundWriter, Place, StagedChunk, Staging
from corpus.store import CorpusStore
from corpus.texts import post_digests
from corpus.xml_lines import END, START, attribute_columns, row_lines

if TYPE_CHECKING:
    from corpus.xml_rows import Row

_COLUMNS = {
    "Id": "id",
    "PostTypeId": "type",
    "ParentId": "parent",
    "AcceptedAnswerId": "accepted",
    "CreationDate": "created",
    "Score": "score",
    "Title": "title",
    "Body": "body",
    "OwnerUserId": "owner",
    "OwnerDisplayName": "owner_name",
}
_BATCH = 5_000
_OTHER_TYPES = {
    "3": "wiki",
    "4": "tag_wiki_excerpt",
    "5": "tag_wiki",
    "6": "moderator_nomination",
    "7": "wiki_placeholder",
    "8": "privilege_wiki",
}
_QUESTION, _ANSWER = "1", "2"


def import_stackexchange(
    store: CorpusStore,
    *,
    posts: Path,
    community: str,
    rules: ImportRules,
    key: bytes,
    now: Clock,
    replace: bool = False,
    on_progress: ProgressSink = ignore_progress,
) -> ImportRecord:
    """Questions become posts and answers replies of one community."""
    checked_name("community", community)
    pseudonyms = Pseudonyms(key)
    request = ImportRequest(
        platform="stackexchange",
        paths=[posts],
        rules=rules,
        scope=[pseudonyms.fingerprint, community],
        communities=[community],
        replace=replace,
        has_accepted=True,
    )
    reading = _Reading(posts, community, rules, pseudonyms)

    def stage(staging: Staging, meter: Meter) -> None:
        if staging.place(0).ended or reading.stage_lines(staging, meter):
            return
        reading.stage_elements(staging, meter)

    return run_import(store, request, stage, on_progress=on_progress, now=now)


class _Reading:
    def __init__(self, path: Path, community: str, rules: ImportRules, pseudonyms: Pseudonyms) -> None:
        self._path = path
        self._community = community
        self._rules = rules
        self._pseudonyms = pseudonyms

    def stage_lines(self, staging: Staging, meter: Meter) -> bool:
        """Reads by lines as far as that goes; False if the rest needs an XML parser."""
        place = staging.place(0)
        if self._path.suffix.lower() == ".7z" or (place.records and not place.offset):
            return False
        with (
            staging.background(makers=2) as writer,
            ByteSource(self._path, self._rules.limits) as source,
            suppress(LineTooLong),
        ):
            return self._submit_lines(writer, source, place, meter)
        return False

    def _submit_lines(self, writer: BackgroundWriter, source: ByteSource, place: Place, meter: Meter) -> bool:
        tail = b""
        for chunk in line_chunks(source, self._rules.limits, offset=place.offset):
            rows = row_lines(chunk.data)
            if rows is None or (chunk.offset == len(chunk.data) and START not in chunk.data[:4096]):
                return False
            first, tail = place.records + 1, chunk.data[-64:].rstrip()
            place = Place(chunk.offset, place.records + rows.len())
            writer.submit(0, place, partial(self._line_chunk, rows, first))
            meter.at(0, chunk.consumed, place.records)
        if not place.records or not tail.endswith(END):
            return False
        writer.submit(0, replaced(place, ended=True), StagedChunk)
        return True

    def stage_elements(self, staging: Staging, meter: Meter) -> None:
        """Reads by elements; what was staged before is parsed again, but no work is done on it."""
        from corpus.xml_rows import RowFeeder, feed_file  # takes long to load

        skip = staging.place(0).records
        seen = consumed = 0

        def on_consumed(position: int) -> None:
            nonlocal consumed
            consumed = position

        with staging.background() as writer:

            def on_rows(rows: "list[Row]") -> None:
                nonlocal seen
                fresh, first = rows[max(0, skip - seen) :], max(seen, skip) + 1
                seen += len(rows)
                if fresh:
                    writer.submit(0, Place(0, seen), partial(self._element_chunk, fresh, first))
                    meter.at(0, consumed, seen)

            feed_file(self._path, self._rules.limits, RowFeeder(self._path, _BATCH, on_rows), on_consumed)
            if not seen:
                raise EmptySource(self._path, "", "there is no post in it.", "Download the dump again.")
            writer.submit(0, Place(0, seen, ended=True), StagedChunk)

    def _line_chunk(self, rows: pl.Series, first: int) -> StagedChunk:
        return self._chunk(attribute_columns(rows, _COLUMNS), first)

    def _element_chunk(self, rows: "Sequence[Row]", first: int) -> StagedChunk:
        columns = zip(_COLUMNS.values(), zip(*rows, strict=True), strict=True)
        return self._chunk(
            pl.DataFrame({name: pl.Series(values, dtype=pl.String) for name, values in columns}), first
        )

    def _chunk(self, raw: pl.DataFrame, first: int) -> StagedChunk:
        frame = self._convert_types(raw, first)
        frame = frame.with_columns(drop=first_reason(*self._reasons()))
        answers = frame.filter(pl.col("type") == _ANSWER)
        questions = frame.filter((pl.col("type") != _ANSWER) | pl.col("type").is_null())
        posts, post_drops = self._posts(questions)
        replies, reply_drops = self._replies(answers)
        return StagedChunk(
            {"posts": posts, "replies": replies},
            posts_read=questions.height,
            replies_read=answers.height,
            drops=drop_counts("post", post_drops) + drop_counts("reply", reply_drops),
        )

    def _convert_types(self, raw: pl.DataFrame, first: int) -> pl.DataFrame:
        frame = raw.with_columns(
            pl.col("created")
            .str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", time_unit="us", strict=False)
            .dt.replace_time_zone("UTC"),
            pl.col("score").cast(pl.Int64, strict=False),
        )
        for name, attribute in (("created", "CreationDate"), ("score", "Score")):
            self._refuse(
                raw, first, raw[name].is_not_null() & frame[name].is_null(), f"{attribute} is not valid"
            )
        self._refuse(raw, first, raw["id"].is_null() | (raw["id"] == ""), "the row has no Id")
        owner = raw.select(
            pl.coalesce(self._person("id", "owner"), self._person("name", "owner_name"))
        ).to_series()
        return frame.with_columns(author=pl.Series(self._pseudonyms.of_all(owner), dtype=pl.String))

    def _person(self, kind: str, column: str) -> pl.Expr:
        """Numbers of users are the site's own, so that 42 here and 42 elsewhere are two people."""
        return pl.concat_str(pl.lit(f"{self._community}:{kind}:"), pl.col(column))

    def _refuse(self, raw: pl.DataFrame, first: int, wrong: pl.Series, problem: str) -> None:
        places = wrong.arg_true()
        if not places.is_empty():
            raise WrongType(
                self._path,
                f"row element {first + int(places[0]):,}",
                f"{problem}.",
                "Nothing was imported. Check that the file is a Posts.xml of Stack Exchange.",
            )

    def _reasons(self) -> list[tuple[pl.Expr, str]]:
        kind = pl.col("type")
        reasons = [(kind == number, reason) for number, reason in _OTHER_TYPES.items()]
        reasons += [(~kind.is_in([_QUESTION, _ANSWER]).fill_null(False), "other_type")]
        reasons += time_reasons(self._rules.cutoff)
        return [*reasons, ((kind == _ANSWER) & pl.col("parent").is_null(), "no_parent")]

    def _posts(self, questions: pl.DataFrame) -> tuple[pl.DataFrame, Counter[str]]:
        """Dropped questions stay as bare ids, so that their answers are told apart from orphans."""
        frame = self._with_text(questions.filter(pl.col("type") == _QUESTION))
        has_title = pl.col("title").str.contains(r"\S").fill_null(False)
        empty = (pl.col("text") == "") & (~has_title if self._rules.keep_title_only_posts else True)
        frame = frame.with_columns(drop=pl.coalesce("drop", pl.when(empty).then(pl.lit("empty_text"))))
        drops = reason_counts(questions.filter(pl.col("type").ne_missing(_QUESTION))) + reason_counts(frame)
        title = pl.when(pl.col("drop").is_null()).then(pl.col("title").fill_null(""))
        frame = frame.with_columns(title, pl.when(pl.col("drop").is_null()).then("text").alias("text"))
        frame = frame.with_columns(
            post_digests(frame["title"], frame["text"]), community=pl.lit(self._community)
        )
        columns = ["community", "title", "text", "author", "created", "score", "drop", "digest"]
        return frame.select(
            pl.col("id").alias("post_id"), *columns, pl.col("accepted").alias("accepted_id")
        ), drops

    def _replies(self, answers: pl.DataFrame) -> tuple[pl.DataFrame, Counter[str]]:
        frame = self._with_text(answers)
        empty = pl.when(pl.col("text") == "").then(pl.lit("empty_text"))
        frame = frame.with_columns(drop=pl.coalesce("drop", empty), community=pl.lit(self._community))
        kept = frame.filter(pl.col("drop").is_null()).select(
            pl.col("id").alias("reply_id"),
            pl.col("parent").alias("post_id"),
            "community",
            "text",
            "author",
            "created",
            "score",
        )
        return kept, reason_counts(frame)

    def _with_text(self, frame: pl.DataFrame) -> pl.DataFrame:
        alive = pl.col("drop").is_null()
        bodies = frame.select(pl.when(alive).then(pl.col("body").fill_null("")).otherwise(pl.lit("")))
        text = clean_html_column(bodies.to_series().alias("text"))
        return frame.with_columns(text).with_columns(pl.when(alive).then("text"))


READER = Reader(
    kind="stackexchange",
    label="Stack Exchange",
    about="The questions and answers of one Stack Exchange site.",
    options=(
        Option(name="posts", takes="file", label="Posts", help="Posts.xml, or the .7z that holds it."),
        Option(
            name="community",
            takes="text",
            label="Community",
            help="The name that the site gets in the corpus, such as parenting.",
        ),
    ),
    read=import_stackexchange,
)
