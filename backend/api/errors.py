"""Turns named errors of the rooms into answers that a notebook can read."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI

from backend.annotate.batches.errors import BatchError
from backend.annotate.discussions.errors import DiscussionError
from backend.annotate.personal_data.services import PersonalDataError
from backend.annotate.practice.errors import PracticeError
from backend.annotate.sync.errors import SyncError
from backend.core.accounts.services import AccountError
from backend.core.jobs.errors import JobError
from backend.core.studies.services import StudyError
from backend.decide.adjudication.errors import AdjudicationError, ChangedMeanwhile, DecidedMeanwhile
from backend.decide.agreement.errors import AgreementError
from backend.decide.releases.errors import ReleaseError
from backend.design.codebooks.errors import EditionError
from backend.design.corpora.errors import CorporaError
from backend.design.samples.services import SampleError
from backend.learn.active_learning.errors import ActiveError
from backend.learn.alternative_annotator.errors import AlternativeError
from backend.learn.error_analysis.errors import ErrorAnalysisError
from backend.learn.models.errors import AdapterError
from backend.learn.prelabels.errors import PrelabelError
from backend.learn.retraining.errors import RetrainingError
from backend.learn.transfer.errors import TransferError
from backend.publish.feedback.errors import FeedbackError
from backend.publish.labelling.errors import LabellingError
from backend.publish.preregistration.errors import PreregistrationError
from backend.publish.reports.errors import ReportError
from codebook.problems import CodebookError
from corpus.errors import CorpusError
from corpus.sampling.errors import SamplingError

REFUSED = 422
CONFLICT = 409
REFUSALS: tuple[type[Exception], ...] = (
    AccountError,
    AdapterError,
    AlternativeError,
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
    SyncError,
    PersonalDataError,
    PracticeError,
    PrelabelError,
    PreregistrationError,
    ReleaseError,
    ReportError,
    RetrainingError,
    SampleError,
    TransferError,
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
