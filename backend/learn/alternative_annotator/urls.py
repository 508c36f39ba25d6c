"""Addresses of tests of the alternative annotator, below those of models."""

from django.urls import path

from backend.learn.alternative_annotator import views

app_name = "alternative_annotator"
_HERE = "studies/<slug:slug>/models"
urlpatterns = [
    path(f"{_HERE}/annotator-test", views.overview, name="overview"),
    path(f"{_HERE}/annotator-test/table.<slug:form>", views.export, name="export"),
    path(f"{_HERE}/annotator-test/imported/<int:number>", views.imported_predictions, name="imported"),
    path(f"{_HERE}/<int:number>/annotator-test", views.adapter, name="adapter"),
]
