"""Calls about corpora, the files they are made from and what was imported."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import msgspec
from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from ninja import Field, File, Router, Schema
from ninja.files import UploadedFile

from backend.corpora import files, selectors, services
from backend.corpora.import_requests import ImportRequest
from backend.corpora.job_handlers import IMPORT_CORPUS
from backend.corpora.models import Corpus
from backend.jobs.api import JobOut
from backend.jobs.models import Job
from backend.jobs.services import enqueue_job
from backend.studies.access import study_for, user_of
from backend.studies.models import Study, StudyRole

router = Router()


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
    summary: Any = Field(description="Counts, lengths, time-line, and what was dropped and why.")


def _study(request: HttpRequest, slug: str) -> Study:
    return study_for(user_of(request), slug, StudyRole.RESEARCHER)


@router.get("files", response=list[FileOut])
def list_files(request: HttpRequest, slug: str) -> list[files.StudyFile]:
    return files.study_files(_study(request, slug))


@router.post("files", response={201: FileOut})
def upload_file(
    request: HttpRequest, slug: str, file: Annotated[UploadedFile, File()]
) -> tuple[int, files.StudyFile]:
    return 201, files.save_upload(_study(request, slug), file)


@router.delete("files/{name}", response={204: None})
def delete_file(request: HttpRequest, slug: str, name: str) -> tuple[int, None]:
    files.delete_file(_study(request, slug), name)
    return 204, None


@router.get("corpora", response=list[CorpusOut])
def list_corpora(request: HttpRequest, slug: str) -> list[Corpus]:
    return list(_study(request, slug).corpora.all())


@router.post("corpora", response={201: CorpusOut})
def create_corpus(request: HttpRequest, slug: str, body: CorpusIn) -> tuple[int, Corpus]:
    return 201, services.create_corpus(
        study=_study(request, slug),
        name=body.name,
        description=body.description,
        actor=user_of(request),
        now=timezone.now(),
    )


@router.get("corpora/{corpus_slug}", response=CorpusDetail)
def read_corpus(request: HttpRequest, slug: str, corpus_slug: str) -> dict[str, Any]:
    corpus = selectors.corpus_of(_study(request, slug), corpus_slug)
    return {
        "slug": corpus.slug,
        "name": corpus.name,
        "description": corpus.description,
        "created_at": corpus.created_at,
        "summary": msgspec.to_builtins(selectors.summary_of(corpus)),
    }


@router.delete("corpora/{corpus_slug}", response={204: None})
def delete_corpus(request: HttpRequest, slug: str, corpus_slug: str) -> tuple[int, None]:
    corpus = selectors.corpus_of(_study(request, slug), corpus_slug)
    services.delete_corpus(corpus=corpus, actor=user_of(request), now=timezone.now())
    return 204, None


@router.post("corpora/{corpus_slug}/imports", response={202: JobOut})
def start_import(request: HttpRequest, slug: str, corpus_slug: str, body: ImportRequest) -> tuple[int, Job]:
    """Starts a job that imports files of the study; the same import again adds nothing."""
    study = _study(request, slug)
    corpus = selectors.corpus_of(study, corpus_slug)
    for name in body.file_names():
        files.file_path(study, name)
    return 202, enqueue_job(
        kind=IMPORT_CORPUS,
        arguments={
            "corpus": corpus.pk,
            "request": body.model_dump(mode="json"),
            "actor": user_of(request).pk,
        },
        study=study,
        created_by=user_of(request),
        now=timezone.now(),
    )


@router.get("corpora/{corpus_slug}/labels/{name}")
def read_labels(request: HttpRequest, slug: str, corpus_slug: str, name: str) -> StreamingHttpResponse:
    """The labels of an imported set as JSON Lines."""
    corpus = selectors.corpus_of(_study(request, slug), corpus_slug)
    return StreamingHttpResponse(selectors.label_lines(corpus, name), content_type="application/jsonl")
