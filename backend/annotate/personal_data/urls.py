"""Addresses of the search for personal data."""

from django.urls import path

from backend.annotate.personal_data import views

app_name = "personal_data"
_HERE = "studies/<slug:slug>/samples/<int:sample_id>/personal-data"
urlpatterns = [
    path(_HERE, views.page, name="page"),
    path(f"{_HERE}/scan", views.scan, name="scan"),
    path(f"{_HERE}/decide", views.decide, name="decide"),
    path(f"{_HERE}/restore", views.restore, name="restore"),
]
