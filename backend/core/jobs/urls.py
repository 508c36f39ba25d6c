"""Addresses of a study's jobs."""

from django.urls import path

from backend.core.jobs import views

app_name = "jobs"
_HERE = "studies/<slug:slug>/jobs"
urlpatterns = [
    path(_HERE, views.job_list, name="list"),
    path(f"{_HERE}/<int:job_id>", views.detail, name="detail"),
    path(f"{_HERE}/<int:job_id>/progress", views.progress, name="progress"),
    path(f"{_HERE}/<int:job_id>/cancel", views.cancel, name="cancel"),
    path(f"{_HERE}/<int:job_id>/retry", views.retry, name="retry"),
]
