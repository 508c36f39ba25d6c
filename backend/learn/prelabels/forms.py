"""The form in which researchers say what is suggested."""

from __future__ import annotations

from django import forms

from backend.annotate.batches.models import BatchKind
from backend.learn.prelabels.models import SUGGESTIBLE, PrelabelChoice


class PrelabelForm(forms.Form):
    is_on = forms.BooleanField(
        label="Show suggestions",
        required=False,
        help_text="Of the adapter in service, as soon as there is one.",
    )
    blind_percent = forms.IntegerField(
        label="Blind, in percent of posts",
        min_value=0,
        max_value=100,
        help_text="For batches that are opened from now on. Without blind items nobody can tell whether suggestions "
        "change what people say.",
    )
    kinds = forms.MultipleChoiceField(
        label="In batches of the kind",
        choices=[(kind.value, kind.label) for kind in SUGGESTIBLE],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text="In an overlap, suggestions make annotators look more alike than they are.",
    )

    @classmethod
    def of(cls, choice: PrelabelChoice) -> PrelabelForm:
        return cls(
            initial={
                "is_on": choice.is_on,
                "blind_percent": round(100 * choice.blind_share),
                "kinds": [kind.value for kind in choice.kinds],
            }
        )

    def choice(self) -> PrelabelChoice:
        asked = self.cleaned_data
        kinds = tuple(kind for kind in SUGGESTIBLE if kind in {BatchKind(each) for each in asked["kinds"]})
        return PrelabelChoice(asked["is_on"], asked["blind_percent"] / 100, kinds)
