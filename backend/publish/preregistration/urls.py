"""Addresses of a study's plan."""

from django.urls import path

from backend.publish.preregistration import views

app_name = "preregistration"
_HERE = "studies/<slug:slug>/preregistration"
urlpatterns = [
    path(_HERE, views.page, name="page"),
    path(f"{_HERE}/<int:number>.json", views.download, name="download"),
]
