"""Addresses of retraining."""

from django.urls import path

from backend.learn.retraining import views

app_name = "retraining"
_HERE = "studies/<slug:slug>/retraining"
_ONE = f"{_HERE}/<int:number>"
urlpatterns = [
    path(_HERE, views.overview, name="overview"),
    path(f"{_HERE}/schedule", views.schedule, name="schedule"),
    path(f"{_HERE}/start", views.start, name="start"),
    path(_ONE, views.run, name="run"),
    path(f"{_ONE}/progress", views.progress, name="progress"),
    path(f"{_ONE}/stop", views.stop, name="stop"),
    path(f"{_ONE}/again", views.again, name="again"),
]
