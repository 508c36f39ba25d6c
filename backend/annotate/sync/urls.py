"""Addresses of the sync."""

from django.urls import path

from backend.annotate.sync import views, webhooks

app_name = "sync"
urlpatterns = [
    path("label-studio/webhook/<str:marker>", webhooks.receive, name="webhook"),
    path("label-studio/open", views.enter_as_owner, name="enter_as_owner"),
    path("studies/<slug:slug>/sync", views.status, name="status"),
    path("studies/<slug:slug>/sync/<int:project_id>/repair", views.repair, name="repair"),
    path("studies/<slug:slug>/work/<int:assignment_id>/enter", views.enter, name="enter"),
]
