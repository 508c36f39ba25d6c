"""What a researcher fills in to freeze a plan; the API takes several samples, too, and themes for each analysis."""

from __future__ import annotations

from typing import Any

from django import forms

from analysis.preregistration import Plan, PlannedContrast, PlannedRule, PlannedSample
from analysis.report.registry import section_titles
from annotation.agreement.registry import rule_statistics
from annotation.agreement.trust_rule import Bound
from backend.core.studies.models import Study
from backend.decide.agreement.selectors import rule_of
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.forms import DESIGNS
from backend.publish.preregistration.selectors import planned_edition
from learning.learners.registry import LEARNERS


class PlanForm(forms.Form):
    """For the edition in force."""

    corpus = forms.ChoiceField(
        label="Sample from", required=False, help_text="The corpus that what annotators judge is drawn from."
    )
    design = forms.ChoiceField(label="Design", choices=[(kind, title) for kind, title, _ in DESIGNS])
    n_items = forms.IntegerField(
        label="Items in the sample", required=False, min_value=1, help_text="Over all communities together."
    )
    measure = forms.ChoiceField(
        label="A theme is trusted if", choices=lambda: [(each.name, each.label) for each in rule_statistics()]
    )
    bound = forms.ChoiceField(
        label="Which number",
        choices=[(Bound.LOW.value, "Lower bound"), (Bound.VALUE.value, "The value itself")],
    )
    at_least = forms.FloatField(
        label="is at least", min_value=-1, max_value=1, widget=forms.NumberInput(attrs={"step": "0.01"})
    )
    learners = forms.MultipleChoiceField(
        label="Models",
        required=False,
        choices=[(each.name, each.title) for each in LEARNERS],
        widget=forms.CheckboxSelectMultiple,
    )
    epsilon = forms.FloatField(
        label="ε of the alternative-annotator test",
        required=False,
        min_value=0,
        max_value=1,
        help_text="May a model take an annotator’s place? .2 for experts, .15 for skilled annotators, .1 for a crowd.",
        widget=forms.NumberInput(attrs={"step": "0.01"}),
    )
    contrasts = forms.MultipleChoiceField(
        label="Analyses",
        required=False,
        choices=lambda: list(section_titles().items()),
        widget=forms.CheckboxSelectMultiple,
    )
    codes = forms.MultipleChoiceField(
        label="of these themes",
        required=False,
        help_text="None ticked: all of them.",
        widget=forms.CheckboxSelectMultiple,
    )
    note = forms.CharField(
        label="Hypotheses", required=False, max_length=20_000, widget=forms.Textarea(attrs={"rows": 6})
    )

    def __init__(self, *args: Any, study: Study, edition: Edition, **kwargs: Any) -> None:
        rule = rule_of(study)
        proposed = {"measure": rule.measure, "bound": rule.bound.value, "at_least": rule.at_least}
        super().__init__(*args, **kwargs)
        self.initial = proposed
        self.edition = edition
        corpora = [(name, name) for name in study.corpora.values_list("name", flat=True)]
        codes = [(code.id, code.name) for _, code in codebook_of(edition).coded_questions()]
        for name, choices in (("corpus", [("", "No sample is planned"), *corpora]), ("codes", codes)):
            field = self.fields[name]
            if isinstance(field, forms.ChoiceField):
                field.choices = choices

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        if found.get("corpus") and not found.get("n_items"):
            self.add_error("n_items", "Say how many items are to be drawn.")
        return found

    def plan(self) -> Plan:
        asked = self.cleaned_data
        sample = PlannedSample(asked["corpus"], asked["design"], asked["n_items"] or 0)
        codes = tuple(asked["codes"])
        return Plan(
            edition=planned_edition(self.edition),
            samples=(sample,) if asked["corpus"] else (),
            agreement_rule=PlannedRule(asked["measure"], asked["bound"], asked["at_least"]),
            learners=tuple(asked["learners"]),
            contrasts=tuple(PlannedContrast(section, codes) for section in asked["contrasts"]),
            epsilon=asked["epsilon"],
            note=asked["note"].strip(),
        )
