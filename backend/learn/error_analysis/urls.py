"""Addresses of the analysis of errors, below those of the model."""

from django.urls import path

from backend.learn.error_analysis import views

app_name = "error_analysis"
_HERE = "studies/<slug:slug>/models/<int:number>/errors"
urlpatterns = [
    path(_HERE, views.errors, name="errors"),
    path(f"{_HERE}/mark", views.mark, name="mark"),
    path(f"{_HERE}/undo", views.undo, name="undo"),
    path(f"{_HERE}/export.csv", views.export, name="export"),
]
