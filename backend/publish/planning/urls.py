"""Addresses of the planner."""

from django.urls import path

from backend.publish.planning import views

app_name = "planning"
urlpatterns = [
    path("studies/<slug:slug>/gold-planner", views.page, name="page"),
    path("studies/<slug:slug>/edition-bridge", views.bridge, name="bridge"),
]
