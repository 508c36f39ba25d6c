"""What a researcher fills in to start a transfer study; the API takes every choice of training."""

from __future__ import annotations

from typing import Any

from django import forms

from backend.learn.transfer.requests import Choosable, TransferIn, TransferLimitsIn
from learning.transfer.study import Limits, TrainingChoices

_LIMITS, _TRAINING = Limits(), TrainingChoices()


class TransferForm(forms.Form):
    name = forms.CharField(max_length=120, initial="Transfer", help_text="For your team.")
    tasks = forms.MultipleChoiceField(
        label="Tasks",
        widget=forms.CheckboxSelectMultiple,
        help_text="At least two codes of releases with texts, of this study and of others that you do research in.",
    )
    seeds = forms.IntegerField(
        label="Seeds",
        initial=3,
        min_value=1,
        max_value=50,
        help_text="Trainings of each model: n tasks and s seeds make n² · s models.",
    )
    train = forms.IntegerField(
        label="Items to learn from", min_value=0, initial=_LIMITS.train, help_text="Of each task; 0 for all."
    )
    validation = forms.IntegerField(
        label="Items to choose by", min_value=0, initial=_LIMITS.validation, help_text="0 for all."
    )
    test = forms.IntegerField(
        label="Items to test on", min_value=0, initial=_LIMITS.test, help_text="0 for all."
    )
    backbone = forms.CharField(
        max_length=200, initial=_TRAINING.backbone, help_text="As for the learner encoder-lora."
    )
    epochs = forms.IntegerField(min_value=1, max_value=100, initial=_TRAINING.epochs)

    def __init__(self, *args: Any, choices: list[Choosable], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["tasks"]
        if isinstance(field, forms.MultipleChoiceField):
            field.choices = [(each.key, each.words) for each in choices]

    def clean_tasks(self) -> list[str]:
        found: list[str] = self.cleaned_data["tasks"]
        if not 2 <= len(found) <= 40:
            raise forms.ValidationError("Choose from two to forty tasks.")
        return found

    def request(self) -> TransferIn:
        asked = self.cleaned_data
        return TransferIn(
            name=asked["name"],
            tasks=[Choosable.parts(key) for key in asked["tasks"]],
            seeds=asked["seeds"],
            limits=TransferLimitsIn(train=asked["train"], validation=asked["validation"], test=asked["test"]),
            training={"backbone": asked["backbone"], "epochs": asked["epochs"]},
        )
