"""What people choose when they train, and the promotion rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django import forms
from pydantic import ValidationError

from annotation.agreement.trust_rule import Bound
from backend.decide.releases.models import Release
from backend.learn.models.models import Adapter
from backend.learn.models.requests import ContextProbeRequest, GridRequest
from learning.learners.spec import INPUTS, RATE, Kind, LearnerSpec, Option
from learning.promotion.rule import PromotionRule


class SeveralNumbers(forms.CharField):
    """Numbers with commas between them."""

    def __init__(self, read: Callable[[str], float], **options: Any) -> None:
        super().__init__(**options)
        self._read = read

    def clean(self, value: Any) -> list[float]:
        words = [word for word in super().clean(value).replace(";", ",").split(",") if word.strip()]
        try:
            return [self._read(word.strip()) for word in words]
        except ValueError as problem:
            raise forms.ValidationError(
                "Give numbers with commas between them, such as 1, 2, 3."
            ) from problem


class TrainForm(forms.Form):
    """For one learner; several learning rates or seeds make a grid."""

    release = forms.TypedChoiceField(coerce=int, help_text="The labels to learn from.")
    input = forms.ChoiceField(label="What it reads", required=False)
    seeds = SeveralNumbers(
        int, label="Seed", initial="1", help_text="Several, such as 1, 2, 3, train one adapter each."
    )
    parent = forms.TypedChoiceField(
        label="Begin from",
        coerce=int,
        empty_value=None,
        required=False,
        help_text="An adapter goes on learning; options that you leave alone are as they were for it.",
    )
    name = forms.CharField(required=False, max_length=120, help_text="For your team.")

    def __init__(
        self,
        *args: Any,
        learner: LearnerSpec,
        releases: list[Release],
        parents: Iterable[Adapter] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.learner = learner
        self._choices("release", [(each.number, f"{each.number}: {each.name}") for each in releases])
        self._choices("input", [(name, INPUTS[name]) for name in learner.inputs])
        known = [(each.number, f"{each.number}: {each.name}") for each in parents]
        self._choices("parent", [("", "Nothing: learn anew"), *known])
        if not known:
            del self.fields["parent"]
        if len(learner.inputs) == 1:
            del self.fields["input"]
        for option in learner.options:
            self.fields[option.name] = _field(option)

    def _choices(self, name: str, choices: list[tuple[Any, str]]) -> None:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = choices

    def main_fields(self) -> list[forms.BoundField]:
        names = ("release", "parent", "name", "input", "seeds", RATE)
        return [self[name] for name in names if name in self.fields]

    def other_fields(self) -> list[forms.BoundField]:
        return [self[option.name] for option in self.learner.options if option.name != RATE]

    def train_request(self) -> GridRequest:
        asked = dict(self.cleaned_data)
        options = {
            option.name: asked[option.name]
            for option in self.learner.options
            if option.name != RATE and _is_given(option, asked.get(option.name))
        }
        if asked.get("input"):
            options["input"] = asked["input"]
        found = {
            "release": asked["release"],
            "learner": self.learner.name,
            "options": options,
            "name": asked["name"],
            "parent": asked.get("parent"),
            "learning_rates": asked.get(RATE) or [],
            "seeds": asked["seeds"] or [1],
        }
        try:
            return GridRequest.model_validate(found)
        except ValidationError as problem:
            first = problem.errors()[0]
            raise forms.ValidationError(f"{first['loc'][0]}: {first['msg']}.") from problem


def _is_given(option: Option, value: object) -> bool:
    """A box is given where it is not as it was; so one that is on by itself can be put out."""
    return value != _is_on(option) if option.kind is Kind.FLAG else value not in (None, "")


def _is_on(option: Option) -> bool:
    return option.default == "yes"


def _field(option: Option) -> forms.Field:
    common: dict[str, Any] = {"required": False, "label": option.label, "help_text": option.help}
    placeholder = {"placeholder": option.default}
    if option.name == RATE:
        common["help_text"] = "Several, such as 0.0003, 0.001, train one adapter each."
        return SeveralNumbers(float, widget=forms.TextInput(attrs=placeholder), **common)
    match option.kind:
        case Kind.FLAG:
            return forms.BooleanField(initial=_is_on(option), **common)
        case Kind.WHOLE:
            return forms.IntegerField(min_value=0, widget=forms.NumberInput(attrs=placeholder), **common)
        case Kind.NUMBER:
            return forms.FloatField(
                min_value=0, widget=forms.NumberInput(attrs={**placeholder, "step": "any"}), **common
            )
        case Kind.WORDS:
            return forms.CharField(widget=forms.TextInput(attrs=placeholder), **common)


class ProbeForm(forms.Form):
    """Which posts are unrelated."""

    unrelated = forms.ChoiceField(
        label="Unrelated posts",
        help_text="Posts about something else, such as small talk or technical questions, show most.",
    )

    def __init__(self, *args: Any, sources: list[tuple[ContextProbeRequest, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._by_key = {f"{asked.source}:{asked.name}": asked for asked, _ in sources}
        field = self.fields["unrelated"]
        if isinstance(field, forms.ChoiceField):
            field.choices = list(zip(self._by_key, (words for _, words in sources), strict=True))

    def probe_request(self) -> ContextProbeRequest:
        return self._by_key[self.cleaned_data["unrelated"]]


class RuleForm(forms.Form):
    """In points, that is hundredths, as scores are shown."""

    least_gain = forms.FloatField(
        label="Gain above", min_value=0, max_value=99, widget=forms.NumberInput(attrs={"step": "0.1"})
    )
    bound = forms.ChoiceField(
        label="Which number",
        choices=[(Bound.LOW.value, "Lower end of the interval"), (Bound.VALUE.value, "The gain itself")],
        help_text="With the gain itself, nothing guards against chance.",
    )
    largest_drop = forms.FloatField(
        label="Largest drop of a theme",
        min_value=0,
        max_value=100,
        widget=forms.NumberInput(attrs={"step": "0.1"}),
    )
    resamples = forms.IntegerField(min_value=100, max_value=10_000)

    @classmethod
    def of(cls, rule: PromotionRule) -> RuleForm:
        return cls(
            initial={
                "least_gain": round(100 * rule.least_gain, 3),
                "bound": rule.bound.value,
                "largest_drop": round(100 * rule.largest_drop, 3),
                "resamples": rule.resamples,
            }
        )

    def rule(self) -> PromotionRule:
        asked = self.cleaned_data
        return PromotionRule(
            least_gain=asked["least_gain"] / 100,
            bound=Bound(asked["bound"]),
            largest_drop=asked["largest_drop"] / 100,
            resamples=asked["resamples"],
        )
