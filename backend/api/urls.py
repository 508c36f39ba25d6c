"""Assembles the API from the apps' routers and gives it its addresses."""

from __future__ import annotations

import re
from typing import Any

from django.urls import URLPattern, URLResolver
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema

from backend.annotate.adaptive_overlap.api import router as adaptive_overlap
from backend.annotate.batches.api import router as batches
from backend.annotate.batches.results_api import router as batch_results
from backend.annotate.discussions.api import router as discussions
from backend.annotate.judgments.api import router as judgments
from backend.annotate.personal_data.api import router as personal_data
from backend.annotate.practice.api import router as practice
from backend.annotate.practice.results_api import router as practice_results
from backend.annotate.sync.api import router as sync
from backend.api.errors import explain_errors
from backend.core.accounts.access import ACCOUNT
from backend.core.accounts.api import router as accounts
from backend.core.jobs.api import router as jobs
from backend.core.notices.api import router as notices
from backend.core.studies.api import router as studies
from backend.core.studies.api import study_router as study
from backend.decide.adjudication.api import router as adjudication
from backend.decide.agreement.api import router as agreement
from backend.decide.competence.api import router as competence
from backend.decide.releases.api import router as releases
from backend.design.codebooks.api import router as codebooks
from backend.design.codebooks.api import shipped_router as shipped
from backend.design.corpora.api import router as corpora
from backend.design.samples.api import router as samples
from backend.learn.active_learning.api import router as active
from backend.learn.alternative_annotator.api import router as alternative_annotator
from backend.learn.error_analysis.api import router as error_analysis
from backend.learn.models.api import router as adapters
from backend.learn.prelabels.api import router as prelabels
from backend.learn.retraining.api import router as retraining
from backend.learn.transfer.api import router as transfer
from backend.operate.lifecycle.api import router as lifecycle
from backend.publish.feedback.api import router as feedback
from backend.publish.labelling.api import router as labelling
from backend.publish.planning.api import bridge_router as edition_bridge
from backend.publish.planning.api import router as planning
from backend.publish.preregistration.api import router as preregistration
from backend.publish.reports.api import router as reports

_SLUG = {
    "in": "path",
    "name": "slug",
    "required": True,
    "schema": {"type": "string", "title": "Slug"},
    "description": "The study's short name, as in its address.",
}


class DocumentedAPI(NinjaAPI):
    """Calls get their study from the address before they run, so the description must name that part for them."""

    def get_openapi_schema(self, *args: Any, **kwargs: Any) -> OpenAPISchema:
        schema = super().get_openapi_schema(*args, **kwargs)
        for path, operations in schema["paths"].items():
            if "slug" in re.findall(r"\{(\w+)\}", path):
                for operation in operations.values():
                    operation["parameters"] = [_SLUG, *operation.get("parameters", [])]
        return schema


api = DocumentedAPI(
    title="Attune",
    version="1",
    urls_namespace="api",
    description="Each thing a researcher can do in the browser. Make a token under “Your account” and send it as "
    "`Authorization: Bearer attune_…`.",
    auth=ACCOUNT,
)
explain_errors(api)
api.add_router("", accounts, tags=["Account"])
api.add_router("codebooks", shipped, tags=["Codebook"])
api.add_router("studies", studies, tags=["Studies"])
api.add_router("studies/{slug}", study, tags=["Studies"])
api.add_router("studies/{slug}/codebook", codebooks, tags=["Codebook"])
api.add_router("studies/{slug}", corpora, tags=["Corpora"])
api.add_router("studies/{slug}", samples, tags=["Samples"])
api.add_router("studies/{slug}", personal_data, tags=["Personal data"])
api.add_router("studies/{slug}/batches", batches, tags=["Batches"])
api.add_router("studies/{slug}/batches", batch_results, tags=["Batches"])
api.add_router("studies/{slug}/batches", adaptive_overlap, tags=["Batches"])
api.add_router("studies/{slug}/batches", practice_results, tags=["Practice"])
api.add_router("studies/{slug}/gold", practice, tags=["Practice"])
api.add_router("studies/{slug}/discussions", discussions, tags=["Discussions"])
api.add_router("studies/{slug}/agreement", agreement, tags=["Agreement"])
api.add_router("studies/{slug}/competence", competence, tags=["Agreement"])
api.add_router("studies/{slug}/adjudication", adjudication, tags=["Adjudication"])
api.add_router("studies/{slug}/judgments", judgments, tags=["Judgments"])
api.add_router("studies/{slug}/releases", releases, tags=["Releases"])
api.add_router("studies/{slug}/models", adapters, tags=["Models"])
api.add_router("studies/{slug}/feedback", feedback, tags=["Feedback"])
api.add_router("studies/{slug}/models", alternative_annotator, tags=["Annotator test"])
api.add_router("studies/{slug}/models", error_analysis, tags=["Error analysis"])
api.add_router("studies/{slug}/prelabels", prelabels, tags=["Pre-labels"])
api.add_router("studies/{slug}/active-learning", active, tags=["Active learning"])
api.add_router("studies/{slug}/retraining", retraining, tags=["Retraining"])
api.add_router("studies/{slug}/transfer", transfer, tags=["Transfer"])
api.add_router("studies/{slug}/labelling", labelling, tags=["Labelling"])
api.add_router("studies/{slug}/plans", preregistration, tags=["Pre-registration"])
api.add_router("studies/{slug}/gold-plan", planning, tags=["Gold planner"])
api.add_router("studies/{slug}/edition-bridge", edition_bridge, tags=["Gold planner"])
api.add_router("studies/{slug}/reports", reports, tags=["Reports"])
api.add_router("studies/{slug}/notices", notices, tags=["Notices"])
api.add_router("studies/{slug}/sync", sync, tags=["Sync"])
api.add_router("studies/{slug}/jobs", jobs, tags=["Jobs"])
api.add_router("studies/{slug}", lifecycle, tags=["Studies"])

DOCUMENTATION = ("openapi-json", "openapi-view")


def _guarded_by_the_api_itself(
    patterns: list[URLResolver | URLPattern],
) -> list[URLResolver | URLPattern]:
    """Calls answer 401 by themselves; only the documentation's pages are sent to log-in."""
    for pattern in patterns:
        if isinstance(pattern, URLPattern) and pattern.name not in DOCUMENTATION:
            pattern.callback.login_required = False  # type: ignore[attr-defined]
    return patterns


_patterns, _app_name, _namespace = api.urls
urlpatterns = (_guarded_by_the_api_itself(_patterns), _app_name, _namespace)
