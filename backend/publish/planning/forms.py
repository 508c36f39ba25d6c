"""What is assumed of a theme or of agreement, in percent as people say it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms

if TYPE_CHECKING:
    from analysis.gold_plan import AssumedShare, PlannedTable
    from annotation.agreement.planning import AgreementNeeds


WIDTH = 5.0


class TableForm(forms.Form):
    """Which table of the report is planned from, and how narrow its intervals are to be."""

    table = forms.ChoiceField(label="Estimates")
    width = forms.FloatField(
        label="Width wanted",
        min_value=0.1,
        max_value=100,
        initial=WIDTH,
        help_text="In percentage points; of what is no share, in hundredths.",
    )

    def __init__(self, *args: Any, tables: Mapping[str, PlannedTable], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._first = next(iter(tables))
        field = self.fields["table"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [(name, table.title) for name, table in tables.items()]

    def chosen(self) -> tuple[str, float]:
        """The name of the table, and the width as a part of 1."""
        if self.is_bound and self.is_valid():
            return self.cleaned_data["table"], self.cleaned_data["width"] / 100
        return self._first, WIDTH / 100


class AssumedForm(forms.Form):
    share = forms.FloatField(label="Share of the theme (%)", min_value=0.1, max_value=99.9, initial=10)
    n_items = forms.IntegerField(label="Items in the corpus", min_value=100, initial=100_000)
    recall = forms.FloatField(
        label="The model finds (%)",
        min_value=0,
        max_value=100,
        initial=85,
        help_text="Of what is there: its recall.",
    )
    false_positives = forms.FloatField(
        label="It takes for the theme (%)",
        min_value=0,
        max_value=100,
        initial=5,
        help_text="Of what is not the theme.",
    )
    width = forms.FloatField(label="Width wanted (points)", min_value=0.1, max_value=100, initial=4)

    def assumed(self) -> AssumedShare:
        from analysis.gold_plan import AssumedModel, AssumedShare  # loads numpy

        found = self.cleaned_data
        model = AssumedModel(found["recall"] / 100, found["false_positives"] / 100)
        return AssumedShare(found["share"] / 100, found["n_items"], model)


class AgreementForm(forms.Form):
    kappa = forms.FloatField(label="Kappa expected", min_value=0.01, max_value=0.99, initial=0.85)
    null = forms.FloatField(label="To be told from", min_value=0.01, max_value=0.99, initial=0.7)
    code_share = forms.FloatField(label="Share of the theme (%)", min_value=0.1, max_value=99.9, initial=50)
    raters = forms.IntegerField(label="Raters", min_value=2, max_value=20, initial=2)
    kappa_width = forms.FloatField(label="Width wanted", min_value=0.01, max_value=1, initial=0.2)

    def needs(self) -> AgreementNeeds:
        """Raises PlanImpossible."""
        from backend.publish.planning.selectors import planned_agreement

        found = self.cleaned_data
        return planned_agreement(
            kappa=found["kappa"],
            share=found["code_share"] / 100,
            n_raters=found["raters"],
            null=found["null"],
            width=found["kappa_width"],
        )
