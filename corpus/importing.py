"""The frame around every reader: recognise a repeated import, resume a stopped one, publish or roll back."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count

import msgspec

from corpus.errors import InputError
from corpus.progress import Clock, Progress, ProgressSink
from corpus.publish import ImportPlan, ImportRequest, check_free, publish
from corpus.records import ImportRecord, SourceFile
from corpus.sources import fingerprint
from corpus.staging import Staging
from corpus.store import CorpusStore, Manifest

# Raised whenever the same source would lead to other rows, so that old stagings are not mixed with new code.
_READER_VERSION = 2


@dataclass
class Meter:
    """Turns positions in the sources into progress; `stage` functions report to it."""

    sources: tuple[SourceFile, ...]
    started: datetime
    now: Clock
    sink: ProgressSink

    def at(self, source: int, consumed: int, records: int) -> None:
        before = sum(file.bytes for file in self.sources[:source])
        total = sum(file.bytes for file in self.sources)
        self.sink(Progress(before + consumed, total, records, self.now() - self.started))


Stage = Callable[[Staging, Meter], None]


def run_import(
    store: CorpusStore, request: ImportRequest, stage: Stage, *, on_progress: ProgressSink, now: Clock
) -> ImportRecord:
    """Input errors roll back everything; a kill or an interrupt leaves the staging to be resumed."""
    started = now()
    sources = tuple(fingerprint(path) for path in request.paths)
    base_id = _request_id(request, sources)
    with store.locked():
        manifest = store.manifest()
        earlier = _visible_record(manifest, base_id)
        if earlier is not None:
            Staging.open(
                store.staging_root / earlier.id
            ).discard()  # left by a kill right after it was published
            return replace(earlier, already_imported=True)
        plan = ImportPlan(_free_id(manifest, base_id), request, sources, started)
        check_free(manifest, plan.id, list(request.communities), replace=request.replace)
        staging = Staging.open(store.staging_root / plan.id)
        try:
            stage(staging, Meter(sources, started, now, on_progress))
        except InputError:
            staging.discard()
            raise
        return publish(store, staging, plan, now)


def _request_id(request: ImportRequest, sources: tuple[SourceFile, ...]) -> str:
    content = (
        _READER_VERSION,
        request.platform,
        [file.sha256 for file in sources],
        request.rules,
        request.scope,
    )
    return hashlib.sha256(msgspec.json.encode(content)).hexdigest()[:16]


def _records_of(manifest: Manifest, base_id: str) -> list[ImportRecord]:
    return [record for record in manifest.imports if record.id.split("-")[0] == base_id]


def _visible_record(manifest: Manifest, base_id: str) -> ImportRecord | None:
    """An earlier run of the same request, unless a later import has replaced a part of it."""
    for record in _records_of(manifest, base_id):
        if all(manifest.communities.get(community.name) == record.id for community in record.communities):
            return record
    return None


def _free_id(manifest: Manifest, base_id: str) -> str:
    """A repeated run after a replacement gets an id of its own, so that no visible file is overwritten."""
    taken = {record.id for record in _records_of(manifest, base_id)}
    names = (f"{base_id}-{number}" if number > 1 else base_id for number in count(1))
    return next(name for name in names if name not in taken)
