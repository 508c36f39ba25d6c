"""What a researcher fills in to start a transfer study: every choice that the API takes."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import RegexValidator

from backend.learn.transfer.requests import Choosable, TransferIn, TransferLimitsIn
from learning.transfer.study import Limits, Stacking, TrainingChoices

_LIMITS, _TRAINING = Limits(), TrainingChoices()
ABOUT = ("name", "source", "setting", "theme")
_PLAIN = RegexValidator(r"^[^\x00-\x1f/\\]*$", "Leave out slashes and backslashes.")


def _whole(label: str, initial: int, least: int = 1, most: int | None = None, help_text: str = "") -> Any:
    return forms.IntegerField(
        label=label, initial=initial, min_value=least, max_value=most, required=False, help_text=help_text
    )


def _number(label: str, initial: float, least: float, most: float, help_text: str = "") -> Any:
    return forms.FloatField(
        label=label,
        initial=initial,
        min_value=least,
        max_value=most,
        required=False,
        help_text=help_text,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )


class TransferForm(forms.Form):
    """What is left empty keeps its default."""

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
    patience = _whole("Patience", _TRAINING.patience, help_text="Epochs without a gain before it stops.")
    max_tokens = _whole("Length", _TRAINING.max_tokens, 16, 512, "Tokens of a text with its context.")
    frozen_layers = _whole("Frozen layers", _TRAINING.frozen_layers, 0, None, "The lowest learn nothing.")
    rank = _whole("Rank", _TRAINING.rank, help_text="Of the low-rank adapters.")
    alpha = _whole("Alpha", _TRAINING.alpha, help_text="Their scale, divided by the rank.")
    dropout = _number("Dropout", _TRAINING.dropout, 0, 0.99)
    learning_rate = _number("Learning rate", _TRAINING.learning_rate, 1e-8, 1)
    batch_size = _whole("Items of a batch", _TRAINING.batch_size)
    balance = _number("Balance", _TRAINING.balance, 0, 1, "0 counts classes as they are, 1 by rarity.")
    stacking = forms.ChoiceField(
        choices=[(each.value, each.value) for each in Stacking],
        initial=_TRAINING.stacking.value,
        required=False,
        help_text="Whether the source’s adapter becomes part of the backbone, or stays beside the new one.",
    )
    target_share = _number(
        "Share of the target",
        _TRAINING.target_share,
        0.001,
        1,
        "Of its labels that models with a source see; the baseline sees all.",
    )
    first_seed = _whole("First seed", 1, 0, None, "It also splits the tables.")
    resamples = _whole("Resamples", 5000, 100, 100_000, "Of the bootstrap behind the tests.")

    def __init__(self, *args: Any, choices: list[Choosable], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._choices = choices
        field = self.fields["tasks"]
        if isinstance(field, forms.MultipleChoiceField):
            field.choices = [(each.key, each.words) for each in choices]
        for at in range(len(choices)):
            for what in ABOUT:
                self.fields[f"{what}-{at}"] = forms.CharField(
                    label=what.capitalize(), max_length=60, required=False, validators=[_PLAIN]
                )

    @property
    def more(self) -> list[forms.BoundField]:
        """What most people leave as it is."""
        names = list(self.base_fields)
        return [self[name] for name in names[names.index("patience") :]]

    @property
    def about(self) -> list[tuple[str, list[forms.BoundField]]]:
        """By task its words: a name, where its texts come from, how people speak there, a group of tasks."""
        return [
            (each.words, [self[f"{what}-{at}"] for what in ABOUT]) for at, each in enumerate(self._choices)
        ]

    def clean_tasks(self) -> list[str]:
        found: list[str] = self.cleaned_data["tasks"]
        if not 2 <= len(found) <= 40:
            raise forms.ValidationError("Choose from two to forty tasks.")
        return found

    def request(self) -> TransferIn:
        asked = {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}
        tasks = []
        for at, each in enumerate(self._choices):
            if each.key in asked["tasks"]:
                about = {what: asked.get(f"{what}-{at}", "") for what in ABOUT}
                tasks.append(Choosable.parts(each.key).model_copy(update=about))
        own = {name: asked[name] for name in ("first_seed", "resamples") if name in asked}
        return TransferIn(
            name=asked["name"],
            tasks=tasks,
            seeds=asked["seeds"],
            limits=TransferLimitsIn(train=asked["train"], validation=asked["validation"], test=asked["test"]),
            training={name: asked[name] for name in TrainingChoices.__struct_fields__ if name in asked},
            **own,
        )
