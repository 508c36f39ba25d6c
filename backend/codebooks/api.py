"""Calls about a study's codebook."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Field, Router, Schema, Status

from annotation.label_config import label_config
from backend.api.authentication import MEMBER, RESEARCHER, study_of
from backend.codebooks import services
from backend.codebooks.models import Edition
from backend.codebooks.selectors import codebook_of, edition_numbered
from backend.studies.access import user_of
from codebook.diff import compare_codebooks
from codebook.guideline import guideline_markdown
from codebook.questions import model_questions

router = Router(auth=MEMBER)


class EditionOut(Schema):
    number: int
    name: str
    title: str
    hash: str
    note: str
    created_at: datetime
    created_by: str = Field(alias="created_by.username")


class EditionIn(Schema):
    source: str = Field(description="The codebook as YAML.")
    note: str = Field(min_length=1, max_length=1000, description="What changed, and why.")


class ChangeOut(Schema):
    kind: str
    where: str
    old: str
    new: str
    affects_labels: bool


@router.get("editions", response=list[EditionOut])
def list_editions(request: HttpRequest) -> list[Edition]:
    study = study_of(request)
    return list(study.editions.select_related("created_by"))


@router.post("editions", auth=RESEARCHER, response={201: EditionOut})
def add_edition(request: HttpRequest, body: EditionIn) -> Status[Edition]:
    """Refused with every problem of the file (line, what is wrong, what would be right), or with what is the same."""
    edition = services.add_edition(
        study=study_of(request),
        source=body.source,
        file_name="codebook.yaml",
        note=body.note,
        actor=user_of(request),
        now=timezone.now(),
    )
    return Status(201, edition)


@router.get("editions/{number}", response=EditionOut)
def read_edition(request: HttpRequest, number: int) -> Edition:
    return edition_numbered(study_of(request), number)


@router.get("editions/{number}/source")
def read_source(request: HttpRequest, number: int) -> HttpResponse:
    """The YAML as it was given."""
    edition = edition_numbered(study_of(request), number)
    return HttpResponse(edition.source, content_type="application/yaml")


@router.get("editions/{number}/canonical")
def read_canonical(request: HttpRequest, number: int) -> HttpResponse:
    """The canonical JSON whose sha256 is the edition's hash."""
    edition = edition_numbered(study_of(request), number)
    return HttpResponse(edition.canonical, content_type="application/json")


@router.get("editions/{number}/guideline")
def read_guideline(request: HttpRequest, number: int) -> HttpResponse:
    """The guideline as Markdown."""
    edition = edition_numbered(study_of(request), number)
    return HttpResponse(guideline_markdown(codebook_of(edition)), content_type="text/markdown; charset=utf-8")


@router.get("editions/{number}/label-config", auth=RESEARCHER)
def read_label_config(request: HttpRequest, number: int) -> HttpResponse:
    """The Label Studio config."""
    edition = edition_numbered(study_of(request), number)
    return HttpResponse(label_config(codebook_of(edition)), content_type="application/xml")


@router.get("editions/{number}/questions", auth=RESEARCHER, response=list[dict[str, Any]])
def read_questions(request: HttpRequest, number: int) -> list[dict[str, Any]]:
    """The questions that a model must answer."""
    edition = edition_numbered(study_of(request), number)
    return [asdict(question) for question in model_questions(codebook_of(edition))]


@router.get("compare/{old}/{new}", response=list[ChangeOut])
def compare(request: HttpRequest, old: int, new: int) -> list[Any]:
    study = study_of(request)
    before, after = (codebook_of(edition_numbered(study, number)) for number in (old, new))
    return compare_codebooks(before, after)
