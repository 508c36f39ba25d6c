"""Calls about a study's codebook."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Field, Router, Schema, Status

from annotation.label_studio.config import label_config
from backend.core.accounts.access import user_of
from backend.core.studies.access import MEMBER, RESEARCHER, study_of
from backend.design.codebooks import services
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of, edition_numbered, latest_edition
from codebook.diff import compare_codebooks
from codebook.editions import edition_hash
from codebook.guideline import guideline_markdown
from codebook.loader import parse_codebook
from codebook.questions import model_questions
from codebook.schema import Codebook
from codebook.shipped import load_shipped, shipped_codebooks, shipped_path

router = Router(auth=MEMBER)
shipped_router = Router()


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


class ShippedOut(Schema):
    name: str
    title: str
    description: str


class SourceIn(Schema):
    source: str = Field(description="The codebook as YAML.")


class CheckOut(Schema):
    hash: str
    questions: int
    changes: list[ChangeOut] = Field(description="Against the edition in force; empty if there is none.")


@shipped_router.get("", response=list[ShippedOut])
def list_shipped(request: HttpRequest) -> list[Codebook]:
    """The codebooks that come with Attune."""
    return [load_shipped(name) for name in shipped_codebooks()]


@shipped_router.get("{name}")
def read_shipped(request: HttpRequest, name: str) -> HttpResponse:
    """The YAML of a codebook that comes with Attune, to start a study from."""
    if name not in shipped_codebooks():
        raise Http404(f"Attune ships {', '.join(shipped_codebooks())}.")
    return HttpResponse(shipped_path(name).read_text(), content_type="application/yaml")


@router.post("check", auth=RESEARCHER, response=CheckOut)
def check_source(request: HttpRequest, body: SourceIn) -> dict[str, Any]:
    """What adding this source would mean, without adding it; refused with every problem of the file."""
    parsed = parse_codebook(body.source, source="codebook.yaml")
    latest = latest_edition(study_of(request))
    changes = compare_codebooks(codebook_of(latest), parsed) if latest else []
    return {"hash": edition_hash(parsed), "questions": len(parsed.questions), "changes": changes}


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
