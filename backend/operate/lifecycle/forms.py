"""What people type about a study as a whole."""

from __future__ import annotations

from django import forms

from backend.core.studies.models import Study


class CopyForm(forms.Form):
    name = forms.CharField(max_length=120, label="Name of the copy")
    with_members = forms.BooleanField(required=False, label="With the members and their roles")


class DeleteForm(forms.Form):
    name = forms.CharField(
        max_length=120, label="The study's name", widget=forms.TextInput({"autocomplete": "off"})
    )

    def __init__(self, *args: object, study: Study, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["name"].help_text = f"Type {study.name} to be sure."
