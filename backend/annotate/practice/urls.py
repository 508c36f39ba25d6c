"""Addresses of practice."""

from django.urls import path

from backend.annotate.practice import feedback_views, gold_changes, views

app_name = "practice"
_GOLD = "studies/<slug:slug>/gold"
_WORK = "studies/<slug:slug>/work/<int:assignment_id>/feedback"
urlpatterns = [
    path(_GOLD, views.gold_list, name="gold"),
    path(f"{_GOLD}/import", views.import_file, name="import_gold"),
    path(f"{_GOLD}/carry-over", gold_changes.carry_over, name="carry_over"),
    path(f"{_GOLD}/choose", views.choose, name="choose"),
    path(f"{_GOLD}/<str:item_id>", views.edit_gold, name="edit_gold"),
    path(f"{_GOLD}/<str:item_id>/delete", gold_changes.delete_gold, name="delete_gold"),
    path(f"{_GOLD}/<str:item_id>/restore/<int:gold_id>", gold_changes.restore_gold, name="restore_gold"),
    path(_WORK, feedback_views.feedback, name="feedback"),
    path(f"{_WORK}/news", feedback_views.news, name="news"),
    path("studies/<slug:slug>/batches/<int:batch_id>/practice", feedback_views.results, name="results"),
]
