"""Addresses of discussions."""

from django.urls import path

from backend.annotate.discussions import views

app_name = "discussions"
_HERE = "studies/<slug:slug>/discussions"
_ONE = f"{_HERE}/<int:discussion_id>"
_BATCH = "studies/<slug:slug>/batches/<int:batch_id>"
urlpatterns = [
    path(_HERE, views.discussion_list, name="list"),
    path(f"{_HERE}/proposals", views.proposal_list, name="proposals"),
    path(_ONE, views.detail, name="detail"),
    path(f"{_ONE}/settle", views.settle, name="settle"),
    path(f"{_ONE}/reopen", views.reopen, name="reopen"),
    path(f"{_ONE}/share", views.share, name="share"),
    path(f"{_ONE}/unshare", views.unshare, name="unshare"),
    path(f"{_BATCH}/digest", views.digest_page, name="digest"),
    path(f"{_BATCH}/digest.<str:form>", views.export, name="export"),
]
