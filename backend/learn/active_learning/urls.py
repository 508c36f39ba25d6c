"""Addresses of active learning."""

from django.urls import path

from backend.learn.active_learning import views

app_name = "active_learning"
_HERE = "studies/<slug:slug>/active-learning"
urlpatterns = [
    path(_HERE, views.overview, name="overview"),
    path(f"{_HERE}/choose", views.choose, name="choose"),
    path(f"{_HERE}/meter", views.read_meter, name="read_meter"),
    path(f"{_HERE}/jobs/<int:job_id>", views.progress, name="progress"),
]
