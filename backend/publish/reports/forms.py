"""What a researcher chooses for a report: the run, the gold, topics by community, and what is to be in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from analysis.lexicon import LexiconUnreadable, lexicon_of
from analysis.report.registry import section_titles
from analysis.surrogate import Surrogate
from backend.decide.releases.models import Release
from backend.publish.labelling.models import LabellingRun
from backend.publish.reports.requests import PERIODS, LexiconGiven, ReportRequest

TOPIC = "topic-"


class ReportForm(forms.Form):
    """For one run, whose communities it asks topics of."""

    title = forms.CharField(required=False, max_length=200, help_text="At the head of the report.")
    release = forms.TypedChoiceField(
        label="Gold",
        required=False,
        coerce=int,
        empty_value=None,
        help_text="The release whose labels correct the model’s. Items that the model learned from are left out of it.",
    )
    surrogate = forms.ChoiceField(
        label="Correct",
        required=False,
        choices=[
            (Surrogate.PROBABILITY.value, "The model’s probabilities"),
            (Surrogate.DECISION.value, "Its decisions"),
        ],
        help_text="What stands for gold where there is none. Probabilities make narrower intervals; a model that"
        " gives none is corrected by its decisions.",
    )
    every = forms.ChoiceField(
        label="Change over time by",
        required=False,
        choices=[("", "What suits the length of the corpus"), *PERIODS.items()],
    )
    lexicon = forms.FileField(
        required=False,
        help_text="Scores the words of marked sentences: CSV with a column “word” and a column for each category,"
        " such as sentiment or joy.",
    )
    sections = forms.MultipleChoiceField(
        label="Sections", choices=lambda: list(section_titles().items()), widget=forms.CheckboxSelectMultiple
    )

    def __init__(
        self,
        *args: Any,
        run: LabellingRun,
        communities: list[str],
        topics: Mapping[str, str],
        releases: list[Release],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.run, self.communities = run, communities
        chosen = self.fields["release"]
        if isinstance(chosen, forms.ChoiceField):
            named = [(each.number, f"{each.number}: {each.name}") for each in releases]
            chosen.choices = [("", "None: the model’s labels as they are"), *named]
        for at, name in enumerate(communities):
            self.fields[f"{TOPIC}{at}"] = forms.CharField(
                label=name, required=False, max_length=120, initial=topics.get(name, "")
            )

    def topic_fields(self) -> list[forms.BoundField]:
        return [self[f"{TOPIC}{at}"] for at in range(len(self.communities))]

    def clean_lexicon(self) -> LexiconGiven | None:
        given = self.cleaned_data["lexicon"]
        if not given:
            return None
        try:
            return LexiconGiven.of(lexicon_of(given.read(), given.name))
        except LexiconUnreadable as problem:
            raise forms.ValidationError(str(problem)) from problem

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        given = {name: found.get(f"{TOPIC}{at}", "") for at, name in enumerate(self.communities)}
        if any(given.values()) and not all(given.values()):
            missing = ", ".join(name for name, topic in given.items() if not topic)
            self.add_error(None, f"Give each community a topic, or none to any. Without one: {missing}.")
        return found

    def report_request(self) -> ReportRequest:
        found = self.cleaned_data
        is_all = len(found["sections"]) == len(section_titles())
        return ReportRequest(
            run=self.run.number,
            release=found["release"],
            title=found["title"],
            topics={name: found[f"{TOPIC}{at}"] for at, name in enumerate(self.communities)},
            with_corrected=found["release"] is not None,
            surrogate=Surrogate(found["surrogate"] or Surrogate.PROBABILITY),
            every=found["every"] or None,
            lexicon=found["lexicon"],
            sections=[] if is_all else found["sections"],
        )
