"""Addresses of notices."""

from django.urls import path

from backend.core.notices import views

app_name = "notices"
_HERE = "studies/<slug:slug>/notices"
urlpatterns = [
    path(_HERE, views.notice_list, name="list"),
    path(f"{_HERE}/read", views.read_all, name="read_all"),
    path(f"{_HERE}/<int:notice_id>/read", views.read_one, name="read"),
]
