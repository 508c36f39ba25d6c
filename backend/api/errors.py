"""Turns named errors of the rooms into answers that a notebook can read."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI

from backend.accounts.services import AccountError
from backend.active.errors import ActiveError
from backend.adapters.errors import AdapterError
from backend.adjudication.errors import AdjudicationError, ChangedMeanwhile, DecidedMeanwhile
from backend.agreement.errors import AgreementError
from backend.batches.errors import BatchError
from backend.codebooks.errors import EditionError
from backend.corpora.errors import CorporaError
from backend.discussions.errors import DiscussionError
from backend.error_analysis.errors import ErrorAnalysisError
from backend.feedback.errors import FeedbackError
from backend.jobs.errors import JobError
from backend.labelling.errors import LabellingError
from backend.mirror.errors import MirrorError
from backend.practice.errors import PracticeError
from backend.prelabels.errors import PrelabelError
from backend.releases.errors import ReleaseError
from backend.reports.errors import ReportError
from backend.retraining.errors import RetrainingError
from backend.samples.services import SampleError
from backend.studies.services import StudyError
from codebook.problems import CodebookError
from corpus.errors import CorpusError
from corpus.sampling.errors import SamplingError

REFUSED = 422
CONFLICT = 409
REFUSALS: tuple[type[Exception], ...] = (
    AccountError,
    AdapterError,
    ActiveError,
    AdjudicationError,
    AgreementError,
    BatchError,
    CorporaError,
    CorpusError,
    DiscussionError,
    EditionError,
    FeedbackError,
    ErrorAnalysisError,
    JobError,
    LabellingError,
    MirrorError,
    PracticeError,
    PrelabelError,
    ReleaseError,
    ReportError,
    RetrainingError,
    SampleError,
    SamplingError,
    StudyError,
)


def explain_errors(api: NinjaAPI) -> None:
    def refuse(request: HttpRequest, problem: Any) -> HttpResponse:
        return api.create_response(
            request, {"detail": str(problem), "error": type(problem).__name__}, status=REFUSED
        )

    def tell_conflict(request: HttpRequest, problem: Any) -> HttpResponse:
        """Who was quicker, and what they decided unless that must not be known yet."""
        body = {"detail": str(problem), "error": "DecidedMeanwhile", "theirs": problem.told()}
        return api.create_response(request, body, status=CONFLICT)

    def tell_change(request: HttpRequest, problem: Any) -> HttpResponse:
        """What the item is like now, so that it can be read again and decided knowingly."""
        body = {"detail": str(problem), "error": "ChangedMeanwhile", "now": problem.told()}
        return api.create_response(request, body, status=CONFLICT)

    def forbid(request: HttpRequest, problem: Any) -> HttpResponse:
        return api.create_response(request, {"detail": str(problem) or "Not allowed."}, status=403)

    def explain_codebook(request: HttpRequest, problem: Any) -> HttpResponse:
        problems = [
            {"line": found.line, "path": found.path, "wrong": found.wrong, "right": found.right}
            for found in problem.problems
        ]
        body = {"detail": str(problem), "error": "CodebookError", "problems": problems}
        return api.create_response(request, body, status=REFUSED)

    def explain_validation(request: HttpRequest, problem: Any) -> HttpResponse:
        return api.create_response(request, {"detail": " ".join(problem.messages)}, status=REFUSED)

    def miss(request: HttpRequest, problem: Any) -> HttpResponse:
        return api.create_response(request, {"detail": str(problem) or "Not found."}, status=404)

    for kind in REFUSALS:
        api.add_exception_handler(kind, refuse)
    api.add_exception_handler(DecidedMeanwhile, tell_conflict)
    api.add_exception_handler(ChangedMeanwhile, tell_change)
    api.add_exception_handler(PermissionDenied, forbid)
    api.add_exception_handler(Http404, miss)
    api.add_exception_handler(CodebookError, explain_codebook)
    api.add_exception_handler(ValidationError, explain_validation)
