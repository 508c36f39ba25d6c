"""Calls about corpora, the files they are made from and what was imported."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import msgspec
from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from ninja import Field, File, Router, Schema, Status
from ninja.files import UploadedFile

from backend.core.accounts.access import user_of
from backend.core.jobs.api import JobOut
from backend.core.jobs.models import Job
from backend.core.studies.access import RESEARCHER, study_of
from backend.design.corpora import files, selectors, services
from backend.design.corpora.import_requests import ImportRequest
from backend.design.corpora.models import Corpus
from backend.design.corpora.threads import ThreadPage, thread_page
from corpus.rules import ReadLimits
from corpus.table_columns import table_columns

router = Router(auth=RESEARCHER)


class FileOut(Schema):
    name: str
    bytes: int
    modified: datetime


class CorpusOut(Schema):
    slug: str
    name: str
    description: str
    created_at: datetime


class CorpusIn(Schema):
    name: str = Field(min_length=1, max_length=120)
    description: str = Field(default="", max_length=2000)


class CorpusDetail(CorpusOut):
    label_sets: list[str]
    summary: Any = Field(description="Counts, lengths, time-line, and what was dropped and why.")


@router.get("files", response=list[FileOut])
def list_files(request: HttpRequest) -> list[files.StudyFile]:
    return files.study_files(study_of(request))


@router.post("files", response={201: FileOut})
def upload_file(request: HttpRequest, file: Annotated[UploadedFile, File()]) -> Status[files.StudyFile]:
    return Status(201, files.save_upload(study_of(request), file))


@router.delete("files/{name}", response={204: None})
def delete_file(request: HttpRequest, name: str) -> Status[None]:
    files.delete_file(study_of(request), name)
    return Status(204, None)


@router.get("files/{name}/columns", response=list[str])
def read_columns(request: HttpRequest, name: str) -> list[str]:
    """The columns of a table, for the mapping of pairs and labels."""
    return table_columns(files.file_path(study_of(request), name), ReadLimits())


@router.get("corpora", response=list[CorpusOut])
def list_corpora(request: HttpRequest) -> list[Corpus]:
    return list(study_of(request).corpora.all())


@router.post("corpora", response={201: CorpusOut})
def create_corpus(request: HttpRequest, body: CorpusIn) -> Status[Corpus]:
    corpus = services.create_corpus(
        study=study_of(request),
        name=body.name,
        description=body.description,
        actor=user_of(request),
        now=timezone.now(),
    )
    return Status(201, corpus)


@router.get("corpora/{corpus_slug}", response=CorpusDetail)
def read_corpus(request: HttpRequest, corpus_slug: str) -> dict[str, Any]:
    corpus = selectors.corpus_of(study_of(request), corpus_slug)
    return {
        "slug": corpus.slug,
        "name": corpus.name,
        "description": corpus.description,
        "created_at": corpus.created_at,
        "label_sets": corpus.store.label_sets(),
        "summary": msgspec.to_builtins(selectors.summary_of(corpus)),
    }


@router.delete("corpora/{corpus_slug}", response={204: None})
def delete_corpus(request: HttpRequest, corpus_slug: str) -> Status[None]:
    corpus = selectors.corpus_of(study_of(request), corpus_slug)
    services.delete_corpus(corpus=corpus, actor=user_of(request), now=timezone.now())
    return Status(204, None)


@router.post("corpora/{corpus_slug}/imports", response={202: JobOut})
def start_import(request: HttpRequest, corpus_slug: str, body: ImportRequest) -> Status[Job]:
    """Starts a job that imports files of the study; the same import again adds nothing."""
    corpus = selectors.corpus_of(study_of(request), corpus_slug)
    job = services.enqueue_import(corpus=corpus, request=body, actor=user_of(request), now=timezone.now())
    return Status(202, job)


@router.delete("corpora/{corpus_slug}/imports/{import_id}", response={204: None})
def undo_import(request: HttpRequest, corpus_slug: str, import_id: str) -> Status[None]:
    """Takes what one import brought out again, unless samples or labels were made from its texts."""
    corpus = selectors.corpus_of(study_of(request), corpus_slug)
    services.undo_import(corpus=corpus, import_id=import_id, actor=user_of(request), now=timezone.now())
    return Status(204, None)


@router.get("corpora/{corpus_slug}/threads", response=ThreadPage)
def read_threads(request: HttpRequest, corpus_slug: str, community: str, page: int = 1) -> ThreadPage:
    """Ten posts of a community with their replies, oldest first."""
    corpus = selectors.corpus_of(study_of(request), corpus_slug)
    return thread_page(corpus.store, community, max(1, min(page, 10_000_000)))


@router.delete("corpora/{corpus_slug}/unfinished", response={204: None})
def discard_unfinished(request: HttpRequest, corpus_slug: str) -> Status[None]:
    """Removes what stopped imports have left; the next one starts from the beginning."""
    selectors.corpus_of(study_of(request), corpus_slug).store.discard_unfinished()
    return Status(204, None)


@router.get("corpora/{corpus_slug}/labels/{name}")
def read_labels(request: HttpRequest, corpus_slug: str, name: str) -> StreamingHttpResponse:
    """The labels of an imported set as JSON Lines."""
    corpus = selectors.corpus_of(study_of(request), corpus_slug)
    selectors.require_label_set(corpus, name)
    return StreamingHttpResponse(selectors.label_lines(corpus, name), content_type="application/jsonl")
