"""What creates, fills and deletes corpora."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.db import transaction
from django.utils.text import slugify

from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.selectors import active_jobs
from backend.core.jobs.services import enqueue_job
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.design.corpora.errors import (
    BadCorpusName,
    CorpusBusy,
    CorpusInUse,
    CorpusLabelled,
    ImportInUse,
    SamplesDependOnIt,
)
from backend.design.corpora.files import file_path
from backend.design.corpora.import_requests import (
    DumpImport,
    ImportJob,
    ImportRequest,
    LabelsImport,
    PairsImport,
)
from backend.design.corpora.models import Corpus
from backend.design.corpora.selectors import pseudonym_key
from corpus.column_roles import pair_warnings
from corpus.labels import import_labels
from corpus.pairs import import_pairs
from corpus.progress import Clock, ProgressSink
from corpus.records import ImportRecord, LabelRecord
from corpus.registry import readers
from corpus.rules import ReadLimits
from corpus.store import CorpusStore
from corpus.table_columns import table_head

IMPORT_CORPUS = "import_corpus"
Resolver = Callable[[str], Path]


@dataclass(frozen=True)
class ImportOutcome:
    """What an import brought, in one sentence for logs, pages and job rows."""

    summary: str
    already_imported: bool


def create_corpus(*, study: Study, name: str, description: str, actor: User, now: datetime) -> Corpus:
    slug = slugify(name)[:60].strip("-")
    if not slug:
        raise BadCorpusName("A corpus's name needs at least one letter or digit.")
    with transaction.atomic():
        if study.corpora.filter(slug=slug).exists():
            raise BadCorpusName(f"This study already has a corpus named “{name}”.")
        corpus = Corpus.objects.create(
            study=study, name=name, slug=slug, description=description, created_by=actor, created_at=now
        )
        record_event(study=study, actor=actor, summary=f"Added the corpus “{name}”", now=now)
    return corpus


def delete_corpus(*, corpus: Corpus, actor: User, now: datetime) -> None:
    """The directory goes after the row: what a crash leaves of it belongs to nobody, and no corpus finds it."""
    if samples := _sample_names(corpus):
        raise CorpusInUse(corpus.name, samples)
    if runs := sorted(corpus.labelling_runs.values_list("number", flat=True)):
        raise CorpusLabelled(corpus.name, runs)
    _refuse_while_busy(corpus)
    directory, study, name = corpus.directory, corpus.study, corpus.name
    with transaction.atomic():
        corpus.delete()
        record_event(study=study, actor=actor, summary=f"Deleted the corpus “{name}”", now=now)
        transaction.on_commit(lambda: shutil.rmtree(directory, ignore_errors=True))


def _refuse_while_busy(corpus: Corpus) -> None:
    jobs = active_jobs(corpus.study_id)
    if jobs.filter(kind=IMPORT_CORPUS, arguments__corpus=corpus.pk).exists():
        raise CorpusBusy(corpus.name)
    # Of the app of samples, which stands on this one
    if jobs.filter(kind="draw_sample", arguments__request__corpus=corpus.slug).exists():
        raise CorpusBusy(corpus.name, is_drawn_from=True)


def undo_import(*, corpus: Corpus, import_id: str, actor: User, now: datetime) -> str:
    """Takes what one import brought out of the corpus again, as long as nothing was made from its texts."""
    _refuse_while_busy(corpus)
    if any(record.id == import_id for record in corpus.store.imports()) and (uses := _uses(corpus)):
        raise ImportInUse(corpus.name, uses)
    record = corpus.store.undo_import(import_id)
    files = ", ".join(
        source.name for source in (record.sources if isinstance(record, ImportRecord) else (record.source,))
    )
    summary = f"Undid an import into “{corpus.name}”: {files}"
    record_event(study=corpus.study, actor=actor, summary=summary, now=now)
    return files


def _uses(corpus: Corpus) -> str:
    samples = [f"the sample “{name}”" for name in _sample_names(corpus)]
    runs = [
        f"labelling run {number}" for number in sorted(corpus.labelling_runs.values_list("number", flat=True))
    ]
    return ", ".join(samples + runs)


def _sample_names(corpus: Corpus) -> list[str]:
    return [sample.name for sample in corpus.samples.all()]


def import_into(
    *,
    corpus: Corpus,
    request: ImportRequest,
    resolve: Resolver,
    actor: User,
    clock: Clock,
    on_progress: ProgressSink,
) -> ImportOutcome:
    """Runs one import to its end; the same import again adds nothing. `resolve` turns file names into paths."""
    if not isinstance(request, LabelsImport) and request.replace and (samples := _sample_names(corpus)):
        raise SamplesDependOnIt(corpus.name, samples)
    record = _run(corpus.store, request, resolve, pseudonym_key(corpus.study), clock, on_progress)
    notes = [] if record.already_imported else _warnings(request, resolve)
    outcome = ImportOutcome(" ".join([_summary(record), *notes]), record.already_imported)
    if not record.already_imported:
        record_event(
            study=corpus.study, actor=actor, summary=f"Into “{corpus.name}”: {outcome.summary}", now=clock()
        )
    return outcome


def enqueue_import(*, corpus: Corpus, request: ImportRequest, actor: User, now: datetime) -> Job:
    """Leaves the import to a worker; files that are not there are refused at once."""
    for name in request.file_names():
        file_path(corpus.study, name)
    job = ImportJob(corpus=corpus.pk, actor=actor.pk, request=request)
    return enqueue_job(
        kind=IMPORT_CORPUS,
        arguments=job.model_dump(mode="json"),
        study=corpus.study,
        created_by=actor,
        now=now,
    )


def _warnings(request: ImportRequest, resolve: Resolver) -> list[str]:
    if not isinstance(request, PairsImport):
        return []
    path = resolve(request.file)
    return pair_warnings(path, table_head(path, ReadLimits()), request.columns())


def _run(
    store: CorpusStore,
    request: ImportRequest,
    resolve: Resolver,
    key: bytes,
    clock: Clock,
    on_progress: ProgressSink,
) -> ImportRecord | LabelRecord:
    match request:
        case DumpImport():
            return readers()[request.kind].read(
                store,
                **request.arguments(resolve),
                rules=request.rules(),
                key=key,
                replace=request.replace,
                on_progress=on_progress,
                now=clock,
            )
        case PairsImport():
            return import_pairs(
                store,
                path=resolve(request.file),
                columns=request.columns(),
                community=request.community or None,
                rules=request.rules(),
                key=key,
                replace=request.replace,
                on_progress=on_progress,
                now=clock,
            )
        case LabelsImport():
            return import_labels(
                store,
                path=resolve(request.file),
                name=request.label_set,
                columns=request.columns(),
                community=request.community or None,
                now=clock,
            )


def _summary(record: ImportRecord | LabelRecord) -> str:
    if isinstance(record, LabelRecord):
        kept = f"{record.rows_kept:,} labels in the set {record.label_set}"
        return f"{kept}, {record.rows_read - record.rows_kept:,} rows left out."
    names = ", ".join(community.name for community in record.communities)
    left_out = sum(drop.count for drop in record.drops)
    return (
        f"{record.posts_kept:,} posts and {record.replies_kept:,} replies of {names}, "
        f"{left_out:,} records left out."
    )
