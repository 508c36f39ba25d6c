"""Addresses of annotators' competence."""

from django.urls import path

from backend.decide.competence import views

app_name = "competence"
_HERE = "studies/<slug:slug>/competence"
urlpatterns = [
    path(_HERE, views.page, name="page"),
    path(f"{_HERE}/own", views.own, name="own"),
    path(f"{_HERE}/estimate", views.start, name="estimate"),
    path(f"{_HERE}/visibility", views.visibility, name="visibility"),
]
