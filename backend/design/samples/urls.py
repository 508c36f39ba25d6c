"""Addresses of samples and items."""

from django.urls import path

from backend.design.samples import views

app_name = "samples"
_HERE = "studies/<slug:slug>/samples"
urlpatterns = [
    path(_HERE, views.sample_list, name="list"),
    path(f"{_HERE}/new", views.draw, name="draw"),
    path(f"{_HERE}/preview", views.preview, name="preview"),
    path(f"{_HERE}/<int:sample_id>", views.detail, name="detail"),
    path(f"{_HERE}/<int:sample_id>/delete", views.delete, name="delete"),
    path(f"{_HERE}/<int:sample_id>/items.<str:form>", views.export, name="export"),
    path("studies/<slug:slug>/items/<str:item_id>", views.item, name="item"),
]
