"""Addresses of corpora and of the files they are made from."""

from django.urls import path

from backend.design.corpora import views

app_name = "corpora"
_STUDY = "studies/<slug:slug>"
_CORPUS = f"{_STUDY}/corpora/<slug:corpus_slug>"
urlpatterns = [
    path(f"{_STUDY}/corpora", views.corpus_list, name="list"),
    path(f"{_STUDY}/corpora/new", views.create, name="create"),
    path(f"{_STUDY}/files", views.files, name="files"),
    path(f"{_STUDY}/files/<str:name>/delete", views.delete_file, name="delete_file"),
    path(_CORPUS, views.detail, name="detail"),
    path(f"{_CORPUS}/delete", views.delete, name="delete"),
    path(f"{_CORPUS}/unfinished/discard", views.discard_unfinished, name="discard_unfinished"),
    path(f"{_CORPUS}/read", views.read, name="read"),
    path(f"{_CORPUS}/labels/<str:name>", views.labels, name="labels"),
    path(f"{_CORPUS}/imports/<str:import_id>/undo", views.undo_import, name="undo_import"),
    path(f"{_CORPUS}/import/<str:kind>", views.start_import, name="start_import"),
]
