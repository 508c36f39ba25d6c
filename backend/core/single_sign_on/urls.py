"""Addresses of log-in with an account from elsewhere."""

from django.urls import path

from backend.core.single_sign_on import views

app_name = "single_sign_on"
urlpatterns = [
    path("sign-in", views.begin, name="begin"),
    path("sign-in/done", views.finish, name="finish"),
    path("sign-in/disconnect", views.disconnect, name="disconnect"),
    path("log-out", views.LogOut.as_view(), name="log_out"),
]
