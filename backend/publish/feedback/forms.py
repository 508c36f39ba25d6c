"""The form in which somebody pastes a post and a reply."""

from __future__ import annotations

from typing import Any

from django import forms

from backend.publish.feedback.reading import LONGEST_TEXT, LONGEST_TITLE
from learning.suggestions.asking import TextAsked


def _text(label: str, rows: int, **options: Any) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": rows, "autocomplete": "off"})
    return forms.CharField(label=label, max_length=LONGEST_TEXT, widget=widget, **options)


class TextsForm(forms.Form):
    title = forms.CharField(
        label="Title of the post",
        required=False,
        max_length=LONGEST_TITLE,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text="If it has one.",
    )
    post = _text("Post", 6)
    reply = _text("Reply", 5, required=False, help_text="Leave it empty to see what the post alone asks for.")

    def asked(self) -> TextAsked:
        """Line ends as the corpora have them; browsers send two characters for each."""
        given = {name: str(text).replace("\r\n", "\n") for name, text in self.cleaned_data.items()}
        return TextAsked(given["title"], given["post"], given["reply"] or None)
