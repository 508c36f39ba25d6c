"""Addresses of log-in, one's own account and the accounts page of admins."""

from django.urls import path

from backend.core.accounts import views

app_name = "accounts"
urlpatterns = [
    path("log-in", views.LogIn.as_view(), name="log_in"),
    path("account", views.account, name="account"),
    path("account/e-mail", views.change_email, name="change_email"),
    path("account/password", views.ChangePassword.as_view(), name="change_password"),
    path("account/tokens", views.add_token, name="add_token"),
    path("account/tokens/<int:token_id>/revoke", views.revoke_token, name="revoke_token"),
    path("choose-password/<str:uidb64>/<str:token>", views.ChoosePassword.as_view(), name="choose_password"),
    path("people", views.people, name="people"),
    path("people/<int:user_id>", views.change_account, name="change_account"),
    path("people/<int:user_id>/password", views.reset_password, name="reset_password"),
    path("people/<int:user_id>/reset-link", views.make_reset_link, name="make_reset_link"),
]
