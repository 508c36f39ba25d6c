"""What people write about a discussion."""

from __future__ import annotations

from django import forms

from backend.annotate.discussions.services import LONGEST_MESSAGE
from codebook.schema import Code

NO_CODE = ("", "No code, or the codebook as a whole")


class ReplyForm(forms.Form):
    body = forms.CharField(
        label="Your reply",
        max_length=LONGEST_MESSAGE,
        widget=forms.Textarea(
            attrs={"rows": 4, "dir": "auto", "data-send-with": "ctrl-enter", "data-shortcut": "r"}
        ),
    )


class SettleForm(forms.Form):
    reason = forms.CharField(
        max_length=LONGEST_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        help_text="How it is decided and why. It goes into the discussion, where the annotator reads it.",
    )
    proposed_code = forms.ChoiceField(label="Code whose text should change", required=False)
    proposed_change = forms.CharField(
        required=False,
        max_length=LONGEST_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        help_text="What the next edition of the codebook should say.",
    )

    def __init__(self, *args: object, codes: tuple[Code, ...], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        choice = self.fields["proposed_code"]
        if isinstance(choice, forms.ChoiceField):
            choice.choices = [NO_CODE, *((code.id, code.name) for code in codes)]
