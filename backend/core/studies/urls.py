"""Addresses of studies."""

from django.urls import path

from backend.core.studies import views

app_name = "studies"
urlpatterns = [
    path("studies/new", views.create, name="create"),
    path("studies/<slug:slug>/edit", views.edit, name="edit"),
    path("studies/<slug:slug>/members", views.members, name="members"),
    path("studies/<slug:slug>/invitations", views.invite, name="invite"),
    path(
        "studies/<slug:slug>/invitations/<int:invitation_id>/withdraw",
        views.withdraw_invitation,
        name="withdraw_invitation",
    ),
    path("invitations/<str:token>", views.invitation, name="invitation"),
    path("studies/<slug:slug>/members/<int:user_id>", views.change_member, name="change_member"),
    path("studies/<slug:slug>/members/<int:user_id>/remove", views.remove_member, name="remove_member"),
]
