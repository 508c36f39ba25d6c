"""Addresses of a study's codebook."""

from django.urls import path

from backend.design.codebooks import views

app_name = "codebooks"
_HERE = "studies/<slug:slug>/codebook"
urlpatterns = [
    path(_HERE, views.guideline, name="guideline"),
    path(f"{_HERE}/history", views.history, name="history"),
    path(f"{_HERE}/compare", views.compare, name="compare"),
    path(f"{_HERE}/new", views.add_edition, name="add_edition"),
    path(f"{_HERE}/check", views.check_source, name="check_source"),
    path(f"{_HERE}/start", views.start_from_shipped, name="start_from_shipped"),
    path(f"{_HERE}/editions/<int:number>", views.guideline, name="edition"),
    path(f"{_HERE}/editions/<int:number>/machine", views.machine_view, name="machine_view"),
    path(f"{_HERE}/editions/<int:number>/file.<str:form>", views.download, name="download"),
]
