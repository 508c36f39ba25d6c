"""What people type about accounts."""

from __future__ import annotations

from django import forms

from backend.core.accounts.models import AccountRole, User


class AccountForm(forms.Form):
    display_name = forms.CharField(max_length=120, help_text="As colleagues know this person.")
    username = forms.CharField(
        max_length=150,
        validators=[User.username_validator],
        help_text="Used to log in; letters, digits and @ . + - _",
    )
    email = forms.EmailField(
        required=False,
        label="E-mail",
        help_text="For reminders, and to recognise them when they log in with an account from elsewhere.",
    )
    role = forms.ChoiceField(
        choices=AccountRole.choices,
        help_text="Researchers may start studies; admins also manage accounts and can see every study.",
    )


class EmailForm(forms.Form):
    email = forms.EmailField(required=False, label="E-mail")


class RemindersForm(EmailForm):
    wants_reminders = forms.BooleanField(required=False, label="Remind me of batches that are soon due")


class ChangeAccountForm(EmailForm):
    role = forms.ChoiceField(choices=AccountRole.choices)
    is_active = forms.BooleanField(required=False)


class TokenForm(forms.Form):
    name = forms.CharField(max_length=80, help_text="Where you will use it, such as “notebook on my laptop”.")
