"""Addresses of batches."""

from django.urls import path

from backend.annotate.batches.views import changes, pages, plan

app_name = "batches"
_HERE = "studies/<slug:slug>/batches"
_ONE = f"{_HERE}/<int:batch_id>"
urlpatterns = [
    path("work", pages.landing, name="landing"),
    path("studies/<slug:slug>/work", pages.work, name="work"),
    path(_HERE, pages.batch_list, name="list"),
    path(f"{_HERE}/new", plan.plan, name="plan"),
    path(_ONE, pages.detail, name="detail"),
    path(f"{_ONE}/due-date", changes.due_date, name="due_date"),
    path(f"{_ONE}/name", changes.rename, name="rename"),
    path(f"{_ONE}/reassign", changes.reassign, name="reassign"),
    path(f"{_ONE}/withdraw", changes.withdraw, name="withdraw"),
    path(f"{_ONE}/restore", changes.restore, name="restore"),
    path(f"{_ONE}/state/<str:verb>", changes.move, name="move"),
]
