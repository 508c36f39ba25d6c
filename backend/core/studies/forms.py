"""What people type about studies."""

from __future__ import annotations

from django import forms

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


class AddMemberForm(forms.Form):
    user = forms.ModelChoiceField(queryset=User.objects.none(), label="Person")
    role = forms.ChoiceField(choices=StudyRole.choices)

    def __init__(self, *args: object, study: Study, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        choice = self.fields["user"]
        if isinstance(choice, forms.ModelChoiceField):
            choice.queryset = possible_members(study)


class MemberRoleForm(forms.Form):
    role = forms.ChoiceField(choices=StudyRole.choices)
