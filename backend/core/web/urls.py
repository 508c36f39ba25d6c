"""Addresses of the pages that belong to no study: whether the instance is well, and the style page."""

from django.urls import path

from backend.core.web import views

app_name = "web"
urlpatterns = [
    path("health", views.health, name="health"),
    path("style", views.style, name="style"),
]
