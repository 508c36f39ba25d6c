"""All addresses of Attune."""

from django.urls import include, path

from backend.api.urls import urlpatterns as api

urlpatterns = [
    path("", include("backend.core.web.urls")),
    path("", include("backend.core.single_sign_on.urls")),
    path("", include("backend.core.accounts.urls")),
    path("", include("backend.core.studies.urls")),
    path("", include("backend.overview.urls")),
    path("", include("backend.design.codebooks.urls")),
    path("", include("backend.design.corpora.urls")),
    path("", include("backend.design.samples.urls")),
    path("", include("backend.annotate.personal_data.urls")),
    path("", include("backend.annotate.batches.urls")),
    path("", include("backend.annotate.practice.urls")),
    path("", include("backend.annotate.discussions.urls")),
    path("", include("backend.decide.agreement.urls")),
    path("", include("backend.decide.adjudication.urls")),
    path("", include("backend.decide.competence.urls")),
    path("", include("backend.decide.releases.urls")),
    path("", include("backend.learn.models.urls")),
    path("", include("backend.learn.error_analysis.urls")),
    path("", include("backend.learn.prelabels.urls")),
    path("", include("backend.learn.alternative_annotator.urls")),
    path("", include("backend.learn.transfer.urls")),
    path("", include("backend.publish.feedback.urls")),
    path("", include("backend.learn.retraining.urls")),
    path("", include("backend.publish.preregistration.urls")),
    path("", include("backend.publish.planning.urls")),
    path("", include("backend.publish.reports.urls")),
    path("", include("backend.core.notices.urls")),
    path("", include("backend.learn.active_learning.urls")),
    path("", include("backend.publish.labelling.urls")),
    path("", include("backend.annotate.sync.urls")),
    path("", include("backend.core.jobs.urls")),
    path("", include("backend.operate.demo.urls")),
    path("", include("backend.operate.lifecycle.urls")),
    path("api/v1/", api),
]
