"""Addresses of agreement."""

from django.urls import path

from backend.decide.agreement import changes, views

app_name = "agreement"
_HERE = "studies/<slug:slug>/agreement"
_BATCH = f"{_HERE}/batches/<int:batch_id>"
_REPORT = f"{_HERE}/reports/<int:report_id>"
urlpatterns = [
    path(_HERE, views.overview, name="list"),
    path(f"{_HERE}/rounds", views.rounds, name="rounds"),
    path(f"{_HERE}/rule", changes.rule, name="rule"),
    path(_BATCH, views.batch, name="batch"),
    path(f"{_BATCH}/measure", changes.measure, name="measure"),
    path(f"{_BATCH}/measuring/<int:job_id>", changes.measuring_state, name="measuring"),
    path(_REPORT, views.report, name="report"),
    path(f"{_REPORT}/themes/<str:code_id>", views.items, name="items"),
    path(f"{_REPORT}/report.<str:form>", views.export, name="export"),
]
