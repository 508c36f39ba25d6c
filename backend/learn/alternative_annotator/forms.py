"""What a researcher fills in to run a test, and to bring labels from outside."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from backend.decide.releases.models import Release
from backend.design.codebooks.models import Edition

MOST_BYTES = 20_000_000


class RunForm(forms.Form):
    epsilon = forms.FloatField(
        label="ε",
        min_value=0,
        max_value=0.99,
        help_text="How much worse than an annotator a cheaper model may be: .2 for experts, .15 for skilled "
        "annotators, .1 for a crowd. Choose it before you see the answer.",
        widget=forms.NumberInput(attrs={"step": "0.01"}),
    )
    release = forms.TypedChoiceField(coerce=int, help_text="Whose labels the model is held against.")

    def __init__(self, *args: Any, releases: list[Release], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["release"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [(each.number, f"{each.number}: {each.name}") for each in releases]


class ColumnsForm(forms.Form):
    name = forms.CharField(max_length=120, help_text="Of what gave the labels, such as a model’s name.")
    edition = forms.TypedChoiceField(coerce=int, help_text="The edition of the codebook that it labelled by.")
    file = forms.FileField(
        help_text="CSV with a column item_id and one for each theme, called by its id: numbers, names of levels, "
        "or yes and no. A blank cell is no label.",
    )
    has_learned = forms.BooleanField(
        label="It learned from this study’s labels",
        required=False,
        help_text="Then only the test part of a release is used.",
    )

    def __init__(self, *args: Any, editions: list[Edition], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["edition"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [(each.number, f"Edition {each.number}") for each in editions]

    def clean_file(self) -> UploadedFile[Any]:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if file.size is None or file.size > MOST_BYTES:
            raise forms.ValidationError(f"The file is longer than {MOST_BYTES:,} bytes: split it.")
        return file
