"""What people type about corpora and upload into a study."""

from __future__ import annotations

from django import forms
from django.utils.http import url_has_allowed_host_and_scheme


class CorpusForm(forms.Form):
    name = forms.CharField(max_length=120)
    description = forms.CharField(
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Which communities, which years, where the dump came from.",
    )


class UploadForm(forms.Form):
    file = forms.FileField()
    next = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean_next(self) -> str:
        """Only a page of this instance: never a way to send someone elsewhere."""
        target: str = self.cleaned_data["next"]
        return target if url_has_allowed_host_and_scheme(target, allowed_hosts=None) else ""
