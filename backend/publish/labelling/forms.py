"""What people choose when they have a corpus labelled."""

from __future__ import annotations

from typing import Any

from django import forms
from pydantic import ValidationError

from backend.core.studies.models import Study
from backend.learn.models.models import Adapter, AdapterState
from backend.publish.labelling.requests import LabelRequest

WHOLE = "corpus:"
SAMPLE = "sample:"


class LabelForm(forms.Form):
    """One list has corpora and the samples drawn from them, so that no pair can be chosen that does not fit."""

    adapter = forms.TypedChoiceField(label="Model", coerce=int)
    texts = forms.ChoiceField(help_text="A whole corpus, or a sample that was drawn from one.")
    communities = forms.CharField(
        required=False,
        widget=forms.TextInput(attrs={"placeholder": "all of them"}),
        help_text="Only these communities of the corpus, with commas between them.",
    )
    n_posts = forms.IntegerField(
        required=False,
        min_value=1,
        label="Posts",
        widget=forms.NumberInput(attrs={"placeholder": "all of them"}),
        help_text="So many posts at random, each with all its replies.",
    )
    seed = forms.IntegerField(
        min_value=0, max_value=2**31 - 1, initial=1, help_text="The same seed draws the same posts."
    )
    price_per_hour = forms.DecimalField(
        required=False,
        min_value=0,
        max_digits=10,
        decimal_places=4,
        label="Price of a machine hour",
        help_text="In any currency, to see what a thousand texts cost.",
    )

    def __init__(self, *args: Any, study: Study, adapters: list[Adapter], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ordered = sorted(adapters, key=lambda each: each.state != AdapterState.IN_SERVICE)
        self._choices("adapter", [(each.number, _words(each)) for each in ordered])
        texts = [
            (f"{WHOLE}{corpus.slug}", f"{corpus.name}, the corpus itself") for corpus in study.corpora.all()
        ]
        for sample in study.samples.select_related("corpus"):
            words = f"{sample.corpus.name}, sample “{sample.name}” ({sample.n_items:,} items)"
            texts.append((f"{SAMPLE}{sample.corpus.slug}:{sample.pk}", words))
        self._choices("texts", texts)

    def _choices(self, name: str, choices: list[tuple[Any, str]]) -> None:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = choices

    def label_request(self) -> LabelRequest:
        asked = self.cleaned_data
        kind, _, rest = asked["texts"].partition(":")
        corpus, _, sample = rest.partition(":")
        communities = [name.strip() for name in asked["communities"].split(",") if name.strip()]
        try:
            return LabelRequest(
                corpus=corpus,
                adapter=asked["adapter"],
                sample=int(sample) if f"{kind}:" == SAMPLE else None,
                communities=communities,
                n_posts=asked["n_posts"],
                seed=asked["seed"],
                price_per_hour=asked["price_per_hour"],
            )
        except ValidationError as problem:
            first = problem.errors()[0]
            raise forms.ValidationError(f"{first['loc'][0]}: {first['msg']}.") from problem


def _words(adapter: Adapter) -> str:
    in_service = ", in service" if adapter.state == AdapterState.IN_SERVICE else ""
    return f"{adapter.number}: {adapter.name}{in_service}"
