"""Addresses of transfer studies."""

from django.urls import path

from backend.learn.transfer import views

app_name = "transfer"
_HERE = "studies/<slug:slug>/transfer"
urlpatterns = [
    path(_HERE, views.run_list, name="list"),
    path(f"{_HERE}/new", views.new, name="new"),
    path(f"{_HERE}/<int:number>", views.detail, name="detail"),
    path(f"{_HERE}/<int:number>/progress", views.progress, name="progress"),
    path(f"{_HERE}/<int:number>/stop", views.stop, name="stop"),
    path(f"{_HERE}/<int:number>/resume", views.resume, name="resume"),
    path(f"{_HERE}/<int:number>/files.zip", views.zip_file, name="zip"),
    path(f"{_HERE}/<int:number>/files/<str:name>", views.file, name="file"),
]
