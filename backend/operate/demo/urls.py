"""Addresses of the demo study's own buttons."""

from django.urls import path

from backend.operate.demo import views

app_name = "demo"
urlpatterns = [
    path("studies/<slug:slug>/demo/progress", views.progress, name="progress"),
    path("studies/<slug:slug>/demo/reset", views.reset, name="reset"),
]
