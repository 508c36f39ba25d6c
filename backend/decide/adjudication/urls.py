"""Addresses of adjudication."""

from django.urls import path

from backend.decide.adjudication import list_views, step_views, views

app_name = "adjudication"
_HERE = "studies/<slug:slug>/adjudication"
_ITEM = f"{_HERE}/items/<str:item_id>"
_DECISION = f"{_HERE}/decisions/<int:decision_id>"
urlpatterns = [
    path(_HERE, list_views.queue, name="queue"),
    path(f"{_HERE}/counting", list_views.counting_state, name="counting"),
    path(f"{_HERE}/settled", list_views.settled, name="settled"),
    path(f"{_HERE}/settings", list_views.plan, name="settings"),
    path(_ITEM, views.item, name="item"),
    path(f"{_DECISION}/undo", step_views.undo, name="undo"),
    path(f"{_DECISION}/restore", step_views.restore, name="restore"),
    path(f"{_HERE}/suspects", step_views.find_suspects, name="find_suspects"),
    path(f"{_HERE}/suspects/<int:suspicion_id>/dismiss", step_views.dismiss, name="dismiss"),
]
