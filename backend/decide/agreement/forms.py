"""The form in which researchers set the rule."""

from __future__ import annotations

from django import forms

from annotation.agreement.registry import rule_statistics
from annotation.agreement.trust_rule import Bound, Rule
from backend.decide.agreement.charts import capitalise


def _measures() -> list[tuple[str, str]]:
    return [(each.name, capitalise(each.label)) for each in rule_statistics()]


class RuleForm(forms.Form):
    measure = forms.ChoiceField(label="Measure", choices=_measures)
    bound = forms.ChoiceField(
        label="Which number",
        choices=[(Bound.LOW.value, "Lower bound"), (Bound.VALUE.value, "The value itself")],
    )
    at_least = forms.FloatField(
        label="At least", min_value=-1, max_value=1, widget=forms.NumberInput(attrs={"step": "0.01"})
    )

    @classmethod
    def of(cls, rule: Rule) -> RuleForm:
        return cls(initial={"measure": rule.measure, "bound": rule.bound.value, "at_least": rule.at_least})

    def rule(self) -> Rule:
        asked = self.cleaned_data
        return Rule(asked["measure"], Bound(asked["bound"]), asked["at_least"])
