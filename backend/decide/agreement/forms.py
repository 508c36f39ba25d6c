"""The form in which researchers set the rule."""

from __future__ import annotations

from django import forms

from annotation.agreement.bands import MEASURE_NAMES, Bound, Rule
from annotation.agreement.values import Measure
from backend.decide.agreement.charts import capitalised


class RuleForm(forms.Form):
    measure = forms.ChoiceField(
        label="Measure", choices=[(each.value, capitalised(MEASURE_NAMES[each])) for each in Measure]
    )
    bound = forms.ChoiceField(
        label="Which number",
        choices=[(Bound.LOW.value, "Lower bound"), (Bound.VALUE.value, "The value itself")],
    )
    at_least = forms.FloatField(
        label="At least", min_value=-1, max_value=1, widget=forms.NumberInput(attrs={"step": "0.01"})
    )

    @classmethod
    def of(cls, rule: Rule) -> RuleForm:
        return cls(
            initial={"measure": rule.measure.value, "bound": rule.bound.value, "at_least": rule.at_least}
        )

    def rule(self) -> Rule:
        asked = self.cleaned_data
        return Rule(Measure(asked["measure"]), Bound(asked["bound"]), asked["at_least"])
