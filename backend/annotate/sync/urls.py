"""Addresses of the mirror."""

from django.urls import path

from backend.annotate.sync import hints, views

app_name = "mirror"
urlpatterns = [
    path("label-studio/hint/<str:marker>", hints.hint, name="hint"),
    path("label-studio/open", views.enter_as_owner, name="enter_as_owner"),
    path("studies/<slug:slug>/sync", views.status, name="status"),
    path("studies/<slug:slug>/sync/<int:project_id>/repair", views.repair, name="repair"),
    path("studies/<slug:slug>/work/<int:assignment_id>/enter", views.enter, name="enter"),
]
