"""What people choose when they freeze a release."""

from __future__ import annotations

from typing import Any

from django import forms
from pydantic import ValidationError

from annotation.release.split import InvalidRatio, read_ratio
from backend.core.studies.models import Study
from backend.decide.releases.requests import FreezeRequest

CONSENSUS = (
    (
        "majority",
        "Majority",
        "What most annotators say; ties are marked.",
    ),
    ("dawid-skene", "Dawid–Skene", "Weighs annotators by the errors they seem to make, code by code."),
    ("mace", "MACE", "Weighs annotators by how often they seem to know rather than guess."),
    ("none", "Leave them out", "Only what is adjudicated, agreed or judged by one annotator goes in."),
)
TIES = (
    ("seed", "Chance decides, by the seed"),
    ("none", "No label"),
    ("frequent", "The answer that is more frequent overall"),
)
SPANS = (
    ("majority", "Words that more than half marked, else all"),
    ("union", "Words that anybody marked"),
    ("intersection", "Words that all marked"),
)
SUPERSEDED = (
    ("keep", "Keep them, marked as superseded"),
    ("weight", "Keep them with a weight"),
    ("leave-out", "Leave them out"),
)


def request_words(request: dict[str, Any]) -> dict[str, str]:
    """What was asked for, as the form says it."""
    consensus = {value: label for value, label, _ in CONSENSUS}
    return {
        "consensus": consensus[request["consensus"]],
        "ties": dict(TIES)[request.get("ties", "frequent")],
        "spans": dict(SPANS)[request["spans"]],
        "superseded": dict(SUPERSEDED)[request["superseded"]],
    }


class FreezeForm(forms.Form):
    name = forms.CharField(
        max_length=120, help_text="Unique within the study, such as “Main annotation 1.0”."
    )
    note = forms.CharField(
        required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 2}), help_text="For your team."
    )
    edition = forms.TypedChoiceField(label="Edition of the codebook", coerce=int)
    consensus = forms.ChoiceField(
        label="Where annotators differ and nobody adjudicated",
        choices=[(value, label) for value, label, _ in CONSENSUS],
        widget=forms.RadioSelect,
    )
    ties = forms.ChoiceField(
        required=False,
        label="Ties of the majority",
        choices=TIES,
        help_text="To give all ties to the more frequent answer makes it more frequent still.",
    )
    spans = forms.ChoiceField(
        label="Evidence of several annotators", choices=SPANS, help_text="Of those who gave the final answer."
    )
    singles = forms.BooleanField(
        required=False, label="Take labels that one annotator made", help_text="They are marked as such."
    )
    soft_labels = forms.BooleanField(
        required=False,
        label="Carry soft labels",
        help_text="Each annotator's own labels, by pseudonym, and the share of annotators behind each answer.",
    )
    superseded = forms.ChoiceField(label="Labels under a changed definition", choices=SUPERSEDED)
    superseded_weight = forms.FloatField(
        required=False, label="Their weight", min_value=0.01, max_value=1, help_text="Above 0 and below 1."
    )
    ratio = forms.CharField(
        label="Split",
        max_length=20,
        help_text="Training : validation : test, by post.",
    )
    seed = forms.IntegerField(min_value=0, max_value=2**63 - 1, help_text="The same seed splits alike.")
    split_like = forms.TypedChoiceField(
        required=False,
        label="Keep the parts of an earlier release",
        coerce=int,
        empty_value=None,
        help_text="Its posts stay where they are, so that what tested one model never trains the next.",
    )
    licence = forms.CharField(
        required=False,
        max_length=500,
        help_text="How others may use the data. If you give none, the data card says so.",
    )
    texts = forms.BooleanField(
        required=False,
        label="Include the texts word for word",
        help_text="Without them, ids and offsets lead back to the texts for those who have them.",
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        editions = list(study.editions.all())
        newest = editions[0].number if editions else 0
        self._choice("edition").choices = [
            (edition.number, f"{edition.number}, {'the newest' if edition.number == newest else 'older'}")
            for edition in editions
        ]
        releases = [(release.number, f"{release.number}: {release.name}") for release in study.releases.all()]
        self._choice("split_like").choices = [("", "None: split anew"), *releases]
        if not releases:
            del self.fields["split_like"]

    def _choice(self, name: str) -> forms.TypedChoiceField:
        found = self.fields[name]
        if not isinstance(found, forms.TypedChoiceField):
            raise TypeError(name)
        return found

    def clean_ratio(self) -> str:
        ratio: str = self.cleaned_data["ratio"].replace(" ", "")
        try:
            read_ratio(ratio)
        except InvalidRatio as problem:
            raise forms.ValidationError(str(problem)) from problem
        return ratio

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        weight = cleaned.get("superseded_weight")
        if cleaned.get("superseded") == "weight" and (weight is None or weight >= 1):
            self.add_error("superseded_weight", "Give a weight above 0 and below 1.")
        return cleaned

    def freeze_request(self) -> FreezeRequest:
        """A preview needs no name yet."""
        asked = dict(self.cleaned_data)
        asked["name"] = asked.get("name") or "Preview"
        asked["ties"] = asked.get("ties") or "seed"
        if asked["superseded"] != "weight":
            asked["superseded_weight"] = 1.0
        try:
            return FreezeRequest.model_validate(asked)
        except ValidationError as problem:
            raise forms.ValidationError(str(problem)) from problem
