"""Brings in labels that a team already has, with their evidence as spans of the imported texts."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import msgspec
import polars as pl

from corpus.cells import text_cells
from corpus.errors import InvalidRules, WrongType
from corpus.names import checked_name
from corpus.progress import Clock
from corpus.quotes import find_quote
from corpus.records import LABEL_SCHEMA, LabelRecord, SourceFile
from corpus.rules import ReadLimits
from corpus.sources import fingerprint
from corpus.staging import write_parquet
from corpus.store import CorpusStore, Manifest
from corpus.tables import TableBatch, read_table

Part = Literal["post", "reply"]
_ITEM_NOT_IN_CORPUS = "item_not_in_corpus"


@dataclass(frozen=True)
class LabelColumns:
    """Which column holds what; annotator and code come from a column or are the same for the whole file.

    Evidence comes as `spans` (JSON like [[0, 12], [20, 31]] in code points, end exclusive) or as `quotes`
    (texts between `separator`), and belongs to `part`.
    """

    post_id: str
    value: str
    reply_id: str | None = None
    annotator: str | None = None
    annotator_is: str | None = None
    code: str | None = None
    code_is: str | None = None
    spans: str | None = None
    quotes: str | None = None
    separator: str = "|"
    part: Part = "reply"

    def __post_init__(self) -> None:
        if (self.annotator is None) == (self.annotator_is is None):
            raise InvalidRules("Give either an annotator column or annotator_is.")
        if (self.code is None) == (self.code_is is None):
            raise InvalidRules("Give either a code column or code_is.")
        if self.spans is not None and self.quotes is not None:
            raise InvalidRules("Give evidence as spans or as quotes, not both.")
        if not self.separator:
            raise InvalidRules("The separator of quotes cannot be empty.")
        if self.part == "reply" and self.reply_id is None:
            raise InvalidRules("Labels on replies need a reply_id column.")

    def names(self) -> list[str]:
        columns = (
            self.post_id,
            self.value,
            self.reply_id,
            self.annotator,
            self.code,
            self.spans,
            self.quotes,
        )
        return list(dict.fromkeys(name for name in columns if name is not None))


def import_labels(
    store: CorpusStore,
    *,
    path: Path,
    name: str,
    columns: LabelColumns,
    now: Clock,
    community: str | None = None,
    limits: ReadLimits | None = None,
) -> LabelRecord:
    """Adds one file to the label set `name`; further files under the same name add to the set.

    The same file again adds nothing, unless the corpus has changed since in a way that matters to it: then the
    labels are matched anew and take the place of the earlier ones.
    """
    checked_name("label set", name)
    source = fingerprint(path)
    base_id = _label_id(name, columns, community, source)
    with store.locked():
        manifest = store.manifest()
        earlier = [record for record in manifest.labels if record.id.split("-")[0] == base_id]
        for record in earlier:
            unchanged = record.corpus_state == manifest.state or _ITEM_NOT_IN_CORPUS not in record.drops
            if manifest.holds(record) and unchanged:
                return replace(record, already_imported=True)
        others = [record for record in manifest.labels if record not in earlier]
        reading = _Reading(
            path,
            columns,
            _texts(store, columns.part, community),
            _known_judgments(store, [record for record in others if record.label_set == name], columns.part),
        )
        frame = reading.frame(limits or ReadLimits())
        label_id = f"{base_id}-{len(earlier) + 1}" if earlier else base_id
        record = reading.record(label_id, name, source, now, frame, manifest)
        target = store.label_path(record)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_parquet(frame, target, compression="zstd")
        store.write_manifest(replace(manifest, labels=(*others, record)))
        return record


def _label_id(name: str, columns: LabelColumns, community: str | None, source: SourceFile) -> str:
    content = (name, columns, community, source.sha256)
    return hashlib.sha256(msgspec.json.encode(content)).hexdigest()[:16]


Texts = dict[tuple[str, str | None], tuple[str, str]]
Judgment = tuple[str, str, str | None, str, str]


def _texts(store: CorpusStore, part: Part, community: str | None) -> Texts:
    """(post id, reply id) to (community, text of the part that is labelled)."""
    if part == "post":
        frame = store.scan_posts(community).with_columns(reply_id=pl.lit(None, pl.String))
    else:
        frame = store.scan_replies(community)
    rows = frame.select("post_id", "reply_id", "community", "text").collect()
    if rows.select("post_id", "reply_id").is_duplicated().any():
        raise InvalidRules(
            "Ids of this corpus repeat between its communities: say which community the labels belong to."
        )
    return {(post_id, reply_id): (where, text) for post_id, reply_id, where, text in rows.iter_rows()}


def _known_judgments(store: CorpusStore, records: Sequence[LabelRecord], part: Part) -> set[Judgment]:
    """What the set holds already; nobody judges the same thing twice, whichever file it comes in."""
    found = store.scan_label_files(records).filter(pl.col("part") == part)
    item = pl.when(pl.lit(part == "reply")).then("reply_id").alias("reply_id")
    return set(found.select("community", "post_id", item, "annotator", "code").collect().iter_rows())


@dataclass
class _Reading:
    path: Path
    columns: LabelColumns
    texts: Texts
    seen: set[Judgment]
    rows_read: int = 0
    drops: Counter[str] = field(default_factory=Counter)
    quotes: Counter[str] = field(default_factory=Counter)

    def frame(self, limits: ReadLimits) -> pl.DataFrame:
        batches = read_table(self.path, self.columns.names(), limits)
        rows = [row for batch in batches for row in self._rows(batch)]
        return pl.DataFrame(rows, schema=LABEL_SCHEMA, orient="row")

    def _rows(self, batch: TableBatch) -> Iterator[tuple[object, ...]]:
        columns, path = self.columns, self.path
        cells = zip(
            text_cells(path, batch, columns.post_id),
            text_cells(path, batch, columns.reply_id),
            text_cells(path, batch, columns.annotator),
            text_cells(path, batch, columns.code),
            text_cells(path, batch, columns.value),
            text_cells(path, batch, columns.spans or columns.quotes),
            strict=True,
        )
        for row, (post_id, reply_id, annotator, code, value, evidence) in enumerate(
            cells, start=batch.first_row
        ):
            self.rows_read += 1
            item = (post_id or "", reply_id if columns.part == "reply" else None)
            judge, about = annotator or columns.annotator_is or "", code or columns.code_is or ""
            reason = self._drop_reason(item, judge, about, value)
            if reason is not None:
                self.drops[reason] += 1
                continue
            community, text = self.texts[item]
            spans, unmatched = self._evidence(text, evidence, row)
            yield (community, post_id, reply_id, columns.part, judge, about, value, spans, unmatched)

    def _drop_reason(
        self, item: tuple[str, str | None], judge: str, about: str, value: str | None
    ) -> str | None:
        if item not in self.texts:
            return _ITEM_NOT_IN_CORPUS
        if not judge or not about or value is None:
            return "incomplete"
        judgment = (self.texts[item][0], *item, judge, about)
        if judgment in self.seen:
            return "repeated_judgment"
        self.seen.add(judgment)
        return None

    def _evidence(self, text: str, evidence: str | None, row: int) -> tuple[list[dict[str, int]], list[str]]:
        if evidence is None:
            return [], []
        if self.columns.spans is not None:
            return self._given_spans(text, evidence, row), []
        spans: list[dict[str, int]] = []
        unmatched: list[str] = []
        for quote in evidence.split(self.columns.separator):
            if not quote.strip():
                continue
            found = find_quote(text, quote)
            self.quotes[found.match if found else "unmatched"] += 1
            if found is None:
                unmatched.append(quote)
            else:
                spans.append({"start": found.start, "end": found.end})
        return spans, unmatched

    def _given_spans(self, text: str, evidence: str, row: int) -> list[dict[str, int]]:
        place = f"row {row:,}, column {self.columns.spans!r}"
        try:
            pairs = msgspec.json.decode(evidence, type=list[tuple[int, int]])
        except msgspec.DecodeError as error:
            advice = "Write them as [[0, 12], [20, 31]]. Nothing was imported."
            raise WrongType(self.path, place, f"the spans cannot be read ({error}).", advice) from error
        for start, end in pairs:
            if not 0 <= start < end <= len(text):
                advice = "Count code points from 0, end exclusive. Nothing was imported."
                problem = f"the span {start} to {end} lies outside the text of {len(text)} code points."
                raise WrongType(self.path, place, problem, advice)
        return [{"start": start, "end": end} for start, end in pairs]

    def record(
        self,
        label_id: str,
        name: str,
        source: SourceFile,
        now: Clock,
        frame: pl.DataFrame,
        manifest: Manifest,
    ) -> LabelRecord:
        return LabelRecord(
            id=label_id,
            label_set=name,
            source=source,
            imported=now(),
            rows_read=self.rows_read,
            rows_kept=frame.height,
            drops=dict(sorted(self.drops.items())),
            quotes_read=self.quotes.total(),
            quotes_matched_exactly=self.quotes["exact"],
            quotes_matched_loosely=self.quotes["loose"] + self.quotes["cut"],
            quotes_unmatched=self.quotes["unmatched"],
            codes=tuple(frame["code"].unique().sort()),
            annotators=tuple(frame["annotator"].unique().sort()),
            matched={name: manifest.communities[name] for name in frame["community"].unique().sort()},
            corpus_state=manifest.state,
        )
