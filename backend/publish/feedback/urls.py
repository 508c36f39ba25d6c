"""Addresses of feedback."""

from django.urls import path

from backend.publish.feedback import views

app_name = "feedback"
urlpatterns = [path("studies/<slug:slug>/feedback", views.page, name="page")]
