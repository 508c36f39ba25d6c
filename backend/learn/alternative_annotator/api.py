"""Calls that put models and labels from outside to the test of the alternative annotator."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Field, File, Form, Router, Schema, Status
from ninja.files import UploadedFile

from backend.core.accounts.access import user_of
from backend.core.studies.access import RESEARCHER, study_of
from backend.core.studies.models import Study
from backend.decide.releases.selectors import release_numbered
from backend.design.codebooks.selectors import edition_numbered
from backend.learn.alternative_annotator.errors import NothingToTestOn
from backend.learn.alternative_annotator.exports import code_names, export_tests
from backend.learn.alternative_annotator.models import AlternativeTest, LabelColumns
from backend.learn.alternative_annotator.selectors import (
    Alternative,
    columns_numbered,
    newest_tests,
    releases_for,
    test_numbered,
    tests_of,
)
from backend.learn.alternative_annotator.services import import_columns, put_to_the_test
from backend.learn.models.boards import CONTENT_TYPES
from backend.learn.models.selectors import adapter_numbered
from learning.alternative_annotator.releases import CodeTest
from learning.alternative_annotator.report import as_fields

router = Router(auth=RESEARCHER)


class AnnotatorTestIn(Schema):
    epsilon: float = Field(ge=0, lt=1, description="How much worse than an annotator a cheaper model may be.")
    release: int | None = Field(
        default=None,
        description="Number of a release of its edition; the one that it learned from, or the newest, if left out.",
    )


class AnnotatorTestOut(Schema):
    """`codes` has, for the answer and the evidence of each theme, the test on items and that on posts."""

    number: int
    adapter: int | None
    imported: int | None
    name: str
    release: int
    epsilon: float
    overlap: dict[str, int]
    codes: list[dict[str, Any]]
    created_at: datetime

    @classmethod
    def of(cls, test: AlternativeTest) -> AnnotatorTestOut:
        found = test.read()
        return cls(
            number=test.number,
            adapter=test.adapter.number if test.adapter else None,
            imported=test.columns.number if test.columns else None,
            name=test.alternative.name,
            release=test.release.number,
            epsilon=test.epsilon,
            overlap=msgspec.to_builtins(found.overlap) | {"n_used": found.overlap.n_used},
            codes=[_code(code) for code in found.codes],
            created_at=test.created_at,
        )


class ImportedLabelsOut(Schema):
    number: int
    name: str
    edition: int
    has_learned: bool

    @classmethod
    def of(cls, columns: LabelColumns) -> ImportedLabelsOut:
        return cls(
            number=columns.number,
            name=columns.name,
            edition=columns.edition.number,
            has_learned=columns.has_learned,
        )


@router.get("annotator-tests", response=list[AnnotatorTestOut])
def list_annotator_tests(request: HttpRequest) -> list[AnnotatorTestOut]:
    """Newest first."""
    return [AnnotatorTestOut.of(test) for test in tests_of(study_of(request))]


@router.get("annotator-tests/{int:number}", response=AnnotatorTestOut)
def read_annotator_test(request: HttpRequest, number: int) -> AnnotatorTestOut:
    return AnnotatorTestOut.of(test_numbered(study_of(request), number))


@router.get("annotator-tests/table/{form}")
def read_annotator_table(request: HttpRequest, form: str) -> HttpResponse:
    """The newest test of each, as `csv` or `tex`."""
    study = study_of(request)
    tests = newest_tests(study)
    if form not in CONTENT_TYPES or not tests:
        raise Http404("The table can be had as csv or tex, once a test was run.")
    return HttpResponse(export_tests(tests, form, code_names(study)), content_type=CONTENT_TYPES[form])


@router.post("{int:number}/annotator-tests", response={201: AnnotatorTestOut})
def test_adapter(request: HttpRequest, number: int, body: AnnotatorTestIn) -> Status[AnnotatorTestOut]:
    """On overlap items that neither training nor a suggestion touched."""
    study = study_of(request)
    return _tested(request, study, adapter_numbered(study, number), body)


@router.get("imported-labels", response=list[ImportedLabelsOut])
def list_imported_labels(request: HttpRequest) -> list[ImportedLabelsOut]:
    columns = study_of(request).label_columns.select_related("edition")
    return [ImportedLabelsOut.of(each) for each in columns]


@router.post("imported-labels", response={201: ImportedLabelsOut})
def import_labels(
    request: HttpRequest,
    file: Annotated[UploadedFile, File()],
    name: Annotated[str, Form(min_length=1, max_length=120)],
    edition: Annotated[int, Form()],
    has_learned: Annotated[bool, Form()] = False,
) -> Status[ImportedLabelsOut]:
    """CSV with a column of items and one for each theme; `has_learned` if it learned from this study's labels."""
    study = study_of(request)
    columns = import_columns(
        study=study,
        edition=edition_numbered(study, edition),
        name=name,
        content=file.read(),
        has_learned=has_learned,
        actor=user_of(request),
        now=timezone.now(),
    )
    return Status(201, ImportedLabelsOut.of(columns))


@router.post("imported-labels/{int:number}/annotator-tests", response={201: AnnotatorTestOut})
def test_imported_labels(
    request: HttpRequest, number: int, body: AnnotatorTestIn
) -> Status[AnnotatorTestOut]:
    study = study_of(request)
    return _tested(request, study, columns_numbered(study, number), body)


def _tested(
    request: HttpRequest, study: Study, alternative: Alternative, body: AnnotatorTestIn
) -> Status[AnnotatorTestOut]:
    if body.release is None:
        release = next(iter(releases_for(alternative)), None)
        if release is None:
            raise NothingToTestOn("There is no release of its edition: freeze one first.")
    else:
        release = release_numbered(study, body.release)
    test = put_to_the_test(
        alternative=alternative,
        release=release,
        epsilon=body.epsilon,
        actor=user_of(request),
        now=timezone.now(),
    )
    return Status(201, AnnotatorTestOut.of(test))


def _code(code: CodeTest) -> dict[str, Any]:
    return {
        "code": code.code,
        "aspect": code.aspect.value,
        "score": code.score.value,
        "passes": code.tests.passes,
        **as_fields(code.tests),
    }
