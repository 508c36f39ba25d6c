"""What people type or upload about codebooks."""

from __future__ import annotations

from typing import Any

from django import forms

from codebook.shipped import load_shipped, shipped_codebooks

LARGEST_FILE = 1024 * 1024


class EditionForm(forms.Form):
    """A file or typed YAML: exactly one of the two."""

    file = forms.FileField(required=False, label="YAML file", help_text="A codebook file from your computer.")
    source = forms.CharField(
        required=False,
        label="Or edit it here",
        strip=False,
        widget=forms.Textarea(attrs={"rows": 28, "spellcheck": "false", "class": "mono"}),
    )
    note = forms.CharField(
        label="What changed, and why?",
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Stays with the edition for good. Annotators and readers of the data will see it.",
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        upload = cleaned.get("file")
        if upload is None:
            cleaned["file_name"] = "codebook.yaml"
            if not cleaned.get("source", "").strip():
                self.add_error("source", "Choose a file or write the codebook here.")
            return cleaned
        cleaned["file_name"] = upload.name
        if upload.size > LARGEST_FILE:
            self.add_error("file", "A codebook file can be 1 MB at most.")
            return cleaned
        try:
            cleaned["source"] = upload.read().decode("utf-8")
        except UnicodeDecodeError:
            self.add_error("file", "The file is not UTF-8 text: save it as UTF-8 and try again.")
        return cleaned


class ShippedForm(forms.Form):
    """Start from one of the codebooks that come with Attune."""

    name = forms.ChoiceField(label="Codebook")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice = self.fields["name"]
        if isinstance(choice, forms.ChoiceField):
            choice.choices = [(name, load_shipped(name).title) for name in shipped_codebooks()]
