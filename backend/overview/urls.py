"""Addresses of the overview."""

from django.urls import path

from backend.overview import views

app_name = "overview"
urlpatterns = [
    path("", views.home, name="home"),
    path("studies/<slug:slug>", views.study, name="study"),
]
