"""Addresses of a study's life."""

from django.urls import path

from backend.operate.lifecycle import views

app_name = "lifecycle"
_STUDY = "studies/<slug:slug>"
urlpatterns = [
    path(f"{_STUDY}/life", views.life, name="life"),
    path(f"{_STUDY}/archive", views.archive, name="archive"),
    path(f"{_STUDY}/restore", views.restore, name="restore"),
    path(f"{_STUDY}/copy", views.copy, name="copy"),
    path(f"{_STUDY}/delete", views.delete, name="delete"),
    path("deletions", views.deleted, name="deleted"),
    path("deletions/<int:job_id>", views.deletion, name="deletion"),
    path("deletions/<int:job_id>/<str:verb>", views.change_deletion, name="change_deletion"),
]
