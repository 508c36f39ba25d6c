"""Addresses of releases."""

from django.urls import path

from backend.decide.releases import views
from backend.decide.releases.comparison_views import compare
from backend.decide.releases.item_views import item_trace, items

app_name = "releases"
_HERE = "studies/<slug:slug>/releases"
_ONE = f"{_HERE}/<int:number>"
urlpatterns = [
    path(_HERE, views.release_list, name="list"),
    path(f"{_HERE}/new", views.freeze, name="freeze"),
    path(f"{_HERE}/preview", views.preview, name="preview"),
    path(f"{_HERE}/compare", compare, name="compare"),
    path(_ONE, views.detail, name="detail"),
    path(f"{_ONE}/verify", views.verify, name="verify"),
    path(f"{_ONE}/release.zip", views.download, name="download"),
    path(f"{_ONE}/exchange/<slug:format_name>.zip", views.export, name="export"),
    path(f"{_ONE}/items", items, name="items"),
    path(f"{_ONE}/items/<str:item_id>", item_trace, name="label_trace"),
]
