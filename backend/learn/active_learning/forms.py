"""What people type when they have a batch chosen."""

from __future__ import annotations

from typing import Any

from django import forms

from backend.annotate.batches.candidates import annotators_of, fresh_counts
from backend.annotate.batches.forms import MultipleBoxes
from backend.core.studies.models import Study
from backend.learn.active_learning.requests import RANDOM_SHARE, ChoiceRequest
from backend.learn.active_learning.words import STRATEGY_WORDS
from learning.query_strategies.names import StrategyName

SHARES = [(f"{percent / 100:g}", f"{percent}%") for percent in (5, 10, 20, 30, 50)]


class ChoiceForm(forms.Form):
    name = forms.CharField(
        max_length=120,
        help_text="Annotators see it, so it should not tell what the batch is for. Unique within the study.",
    )
    strategy = forms.ChoiceField(widget=forms.RadioSelect)
    samples = MultipleBoxes(label="Choose from", help_text="Only items that no batch has had are taken.")
    n = forms.IntegerField(
        label="How many items",
        min_value=1,
        max_value=10_000,
        initial=100,
        help_text="In all, in even shares.",
    )
    random_share = forms.ChoiceField(
        label="Random share",
        choices=SHARES,
        initial=f"{RANDOM_SHARE:g}",
        help_text="Drawn by chance, whatever the model thinks. Only these show how the rest of the pool is.",
    )
    per_cost = forms.BooleanField(
        label="Prefer what takes less time",
        required=False,
        help_text="Scores count for each minute that an item is expected to take.",
    )
    annotators = MultipleBoxes(label="Who works on it")
    due_on = forms.DateField(
        label="Due date",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text="Shown to annotators; nothing closes by itself.",
    )
    seed = forms.IntegerField(
        min_value=0, max_value=2**63 - 1, help_text="The same pool and seed choose the same items."
    )

    def __init__(self, *args: Any, study: Study, has_model: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = [name for name in STRATEGY_WORDS if has_model or not name.needs_model]
        self.strategies = [(name.value, *STRATEGY_WORDS[name]) for name in offered]
        _offer(self, "strategy", [(value, label) for value, label, _ in self.strategies])
        self.fields["strategy"].initial = offered[0].value
        people = [(user.username, str(user)) for user in annotators_of(study)]
        _offer(self, "annotators", people)
        self.fields["annotators"].initial = [username for username, _ in people]
        left = fresh_counts(study)
        _offer(self, "samples", [(name, f"{name} ({n:,} left)") for name, n in left.items()])
        self.fields["samples"].initial = [name for name, n in left.items() if n]

    def choice_request(self) -> ChoiceRequest:
        return ChoiceRequest.model_validate(
            self.cleaned_data | {"strategy": StrategyName(self.cleaned_data["strategy"])}
        )


def _offer(form: forms.Form, name: str, choices: list[tuple[str, str]]) -> None:
    field = form.fields[name]
    if not isinstance(field, forms.ChoiceField):
        raise TypeError(name)
    field.choices = choices
