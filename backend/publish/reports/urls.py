"""Addresses of reports."""

from django.urls import path

from backend.publish.reports import views

app_name = "reports"
_HERE = "studies/<slug:slug>/reports"
_ONE = f"{_HERE}/<int:number>"
urlpatterns = [
    path(_HERE, views.report_list, name="list"),
    path(f"{_HERE}/new", views.new, name="new"),
    path(_ONE, views.detail, name="detail"),
    path(f"{_ONE}/verify", views.verify, name="verify"),
    path(f"{_ONE}/check", views.check, name="check"),
    path(f"{_ONE}/report.zip", views.download, name="download"),
    path(f"{_ONE}/files/<path:name>", views.one_file, name="file"),
]
