"""Addresses of a study's adapters; people know them as models."""

from django.urls import path

from backend.learn.models import board_views, probe_views, training_views, views

app_name = "models"
_HERE = "studies/<slug:slug>/models"
urlpatterns = [
    path(_HERE, views.adapter_list, name="list"),
    path(f"{_HERE}/rule", views.change_rule, name="rule"),
    path(f"{_HERE}/roll-back", views.roll_back, name="roll_back"),
    path(f"{_HERE}/train", training_views.train, name="train"),
    path(f"{_HERE}/trainings/<int:training_id>", training_views.training_page, name="training"),
    path(
        f"{_HERE}/trainings/<int:training_id>/progress",
        training_views.training_progress,
        name="training_progress",
    ),
    path(f"{_HERE}/grids/<int:number>", training_views.grid, name="grid"),
    path(f"{_HERE}/grids/<int:number>/progress", training_views.grid_progress, name="grid_progress"),
    path(f"{_HERE}/leaderboards/<int:number>", board_views.leaderboard, name="leaderboard"),
    path(f"{_HERE}/leaderboards/<int:number>/export.<slug:form>", board_views.export, name="export"),
    path(f"{_HERE}/leaderboards/<int:number>/baselines", training_views.train_baselines, name="baselines"),
    path(f"{_HERE}/leaderboards/<int:number>/compare", board_views.compare, name="compare"),
    path(f"{_HERE}/comparisons/<int:comparison_id>", board_views.comparison, name="comparison"),
    path(f"{_HERE}/promotion/<int:promotion_id>", board_views.promotion_report, name="promotion_report"),
    path(f"{_HERE}/test-sets/<int:number>", board_views.test_set, name="test_set"),
    path(f"{_HERE}/<int:number>", views.detail, name="detail"),
    path(f"{_HERE}/<int:number>/probe", probe_views.probe, name="probe"),
    path(f"{_HERE}/<int:number>/promotion", views.compare_with_service, name="promotion"),
    path(f"{_HERE}/<int:number>/promote", views.promote, name="promote"),
    path(f"{_HERE}/<int:number>/retire", views.retire, name="retire"),
]
