"""What people type about studies."""

from __future__ import annotations

from django import forms
from django.conf import settings

from backend.core.accounts.models import User
from backend.core.studies.models import Study, StudyRole
from backend.core.studies.selectors import possible_members


class StudyForm(forms.Form):
    name = forms.CharField(max_length=120, help_text="Shown to annotators too.")
    description = forms.CharField(
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="What the study asks, in a few sentences.",
    )


class EditStudyForm(StudyForm):
    remind_days_before = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=60,
        label="Remind annotators so many days before a batch is due",
        help_text="Once, on their page and by e-mail where Attune can send any. Empty: never.",
    )


class RolesForm(forms.Form):
    """One box for each role; whoever has both is blind to what they still have to judge."""

    roles = forms.MultipleChoiceField(
        choices=[(role.value, role.label) for role in (StudyRole.RESEARCHER, StudyRole.ANNOTATOR)],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Tick at least one role."},
        help_text="Both: a researcher who also annotates.",
    )

    @property
    def role(self) -> StudyRole:
        first, *others = map(StudyRole, self.cleaned_data["roles"])
        return first.with_role(others[0]) if others else first


class AddMemberForm(RolesForm):
    user = forms.ModelChoiceField(queryset=User.objects.none(), label="Person", empty_label="Choose a person")
    field_order = ("user", "roles")

    def __init__(self, *args: object, study: Study, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        choice = self.fields["user"]
        if isinstance(choice, forms.ModelChoiceField):
            choice.queryset = possible_members(study)


class InviteForm(RolesForm):
    email = forms.EmailField(
        required=False,
        label="E-mail",
        help_text="The link is sent there too. Leave it empty to send it yourself.",
    )
    note = forms.CharField(required=False, max_length=120, label="For whom", help_text="For your own list.")

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        if not settings.EMAIL_HOST:
            del self.fields["email"]


class JoinForm(forms.Form):
    username = forms.CharField(max_length=150, label="Log-in name")
    display_name = forms.CharField(
        max_length=120, label="Your name", help_text="As others in the study see it."
    )
    password = forms.CharField(
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text="At least 12 characters.",
    )
