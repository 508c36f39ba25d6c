"""Addresses of a study's labelling runs."""

from django.urls import path

from backend.publish.labelling import views

app_name = "labelling"
_HERE = "studies/<slug:slug>/labelling"
urlpatterns = [
    path(_HERE, views.run_list, name="list"),
    path(f"{_HERE}/start", views.start, name="start"),
    path(f"{_HERE}/<int:number>", views.detail, name="detail"),
    path(f"{_HERE}/<int:number>/progress", views.progress, name="progress"),
    path(f"{_HERE}/<int:number>/labels.csv", views.download_csv, name="download_csv"),
    path(f"{_HERE}/<int:number>/labels.zip", views.download_parquet, name="download_parquet"),
    path(f"{_HERE}/<int:number>/pause", views.pause, name="pause"),
    path(f"{_HERE}/<int:number>/resume", views.resume, name="resume"),
    path(f"{_HERE}/<int:number>/cancel", views.cancel, name="cancel"),
]
