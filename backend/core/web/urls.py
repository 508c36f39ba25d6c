"""Addresses of the pages that belong to no study: the state of the instance, the documentation, the style page."""

from django.urls import path

from backend.core.web import documentation, views

app_name = "web"
urlpatterns = [
    path("health", views.health, name="health"),
    path("docs", documentation.front, name="documentation"),
    path("docs/<path:file>", documentation.serve_file, name="documentation_file"),
    path("style", views.style, name="style"),
]
