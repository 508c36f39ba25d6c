"""All addresses of Attune."""

from django.urls import include, path

from backend.api.urls import urlpatterns as api

urlpatterns = [
    path("", include("backend.web.urls")),
    path("", include("backend.accounts.urls")),
    path("", include("backend.studies.urls")),
    path("", include("backend.codebooks.urls")),
    path("", include("backend.corpora.urls")),
    path("", include("backend.samples.urls")),
    path("", include("backend.batches.urls")),
    path("", include("backend.practice.urls")),
    path("", include("backend.discussions.urls")),
    path("", include("backend.agreement.urls")),
    path("", include("backend.adjudication.urls")),
    path("", include("backend.releases.urls")),
    path("", include("backend.adapters.urls")),
    path("", include("backend.error_analysis.urls")),
    path("", include("backend.prelabels.urls")),
    path("", include("backend.feedback.urls")),
    path("", include("backend.retraining.urls")),
    path("", include("backend.reports.urls")),
    path("", include("backend.notices.urls")),
    path("", include("backend.active.urls")),
    path("", include("backend.labelling.urls")),
    path("", include("backend.mirror.urls")),
    path("", include("backend.jobs.urls")),
    path("api/v1/", api),
]
