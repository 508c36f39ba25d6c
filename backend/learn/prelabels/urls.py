"""Addresses of pre-labels."""

from django.urls import path

from backend.learn.prelabels import views

app_name = "prelabels"
_HERE = "studies/<slug:slug>/prelabels"
urlpatterns = [
    path(_HERE, views.page, name="page"),
    path(f"{_HERE}/settings", views.settings, name="settings"),
    path(f"{_HERE}/batches/<int:batch_id>/push", views.push, name="push"),
]
