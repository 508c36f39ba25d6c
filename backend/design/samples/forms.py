"""What people type when they draw a sample."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from backend.core.studies.models import Study
from backend.design.samples.requests import DrawRequest

DESIGNS = (
    (
        "pps_posts",
        "Posts by their number of replies, with one reply each",
        "Probability proportional to replies + 1; one random reply, or none if there is none. For annotation.",
    ),
    ("uniform_pairs", "Pairs at random", "Each post–reply pair is equally likely. For codebook work."),
    (
        "whole_posts",
        "Posts at random, with all their replies",
        "Each post is equally likely and brings all its replies. For analysis at scale.",
    ),
)
_OVERRIDE = re.compile(r"^(?P<community>\S.*?)\s*[=:]\s*(?P<n>\d{1,8})$")


class CannotShareOut(ValueError):
    """The message says what to change."""


def shared_out(total: int, communities: Sequence[str], own: Mapping[str, int]) -> dict[str, Any]:
    """`n` and `n_by_community` that add up to the total; the first communities of the alphabet get what is over.

    >>> shared_out(8, ["a", "b", "c"], {"c": 1})
    {'n': 3, 'n_by_community': {'c': 1, 'a': 4, 'b': 3}}
    """
    others = sorted(set(communities) - set(own))
    left = total - sum(own.values())
    if not others:
        raise CannotShareOut(
            "Each community has a number of its own, so there is nothing to share out: leave this empty."
        )
    if left < len(others):
        raise CannotShareOut(
            f"{left:,} cannot be shared out among {len(others):,} communities: give at least "
            f"{total - left + len(others):,}, or leave some communities out with 0."
        )
    each, over = divmod(left, len(others))
    return {
        "n": each,
        "n_by_community": {**own, **{name: each + (at < over) for at, name in enumerate(others)}},
    }


class DrawForm(forms.Form):
    name = forms.CharField(max_length=120, help_text="Unique within the study, such as “main annotation”.")
    corpus = forms.ChoiceField()
    kind = forms.ChoiceField(
        label="Design", choices=[(kind, label) for kind, label, _ in DESIGNS], widget=forms.RadioSelect
    )
    n = forms.IntegerField(
        required=False,
        label="How many from each community",
        min_value=1,
        max_value=10_000_000,
        help_text="Posts or pairs, as the design says. Or give the number in all.",
    )
    total = forms.IntegerField(
        required=False,
        label="How many in all",
        min_value=1,
        max_value=10_000_000,
        help_text="Shared out evenly among the communities.",
    )
    n_by_community = forms.CharField(
        required=False,
        label="Other numbers for some communities",
        widget=forms.Textarea(attrs={"rows": 2, "placeholder": "workfloor = 50"}),
        help_text="One a line: community = number. 0 leaves a community out.",
    )
    take_all_if_smaller = forms.BooleanField(
        required=False,
        label="Take all of a community that has fewer",
        help_text="Otherwise a community that is too small is an error.",
    )
    seed = forms.IntegerField(
        min_value=0, max_value=2**63 - 1, help_text="The same seed draws the same items on any machine."
    )
    disjoint_from = forms.MultipleChoiceField(
        required=False,
        label="Stay clear of posts in these samples",
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._study = study
        self._choice("corpus").choices = [(corpus.slug, corpus.name) for corpus in study.corpora.all()]
        names = [sample.name for sample in study.samples.all()]
        self._choice("disjoint_from").choices = [(name, name) for name in names]
        if not names:
            del self.fields["disjoint_from"]

    def _choice(self, name: str) -> forms.ChoiceField:
        found = self.fields[name]
        if not isinstance(found, forms.ChoiceField):
            raise TypeError(name)
        return found

    def clean_n_by_community(self) -> dict[str, int]:
        sizes: dict[str, int] = {}
        for line in self.cleaned_data["n_by_community"].splitlines():
            if not line.strip():
                continue
            match = _OVERRIDE.match(line.strip())
            if match is None:
                raise forms.ValidationError(f"“{line.strip()}” is not of the form community = number.")
            sizes[match["community"]] = int(match["n"])
        return sizes

    def clean(self) -> dict[str, Any]:
        """A number in all becomes one for each community that has none of its own."""
        cleaned = super().clean() or {}
        if "n" in self.errors or "total" in self.errors or "n_by_community" in self.errors:
            return cleaned
        n, total = cleaned.pop("n", None), cleaned.pop("total", None)
        if (n is None) == (total is None):
            self.add_error(
                "n", "Give the number from each community or the number in all: exactly one of the two."
            )
        elif total is None:
            cleaned["n"] = n
        elif "corpus" in cleaned:
            try:
                cleaned |= shared_out(total, self._communities(cleaned["corpus"]), cleaned["n_by_community"])
            except CannotShareOut as problem:
                self.add_error("total", str(problem))
        return cleaned

    def _communities(self, slug: str) -> list[str]:
        return self._study.corpora.get(slug=slug).store.communities()

    def draw_request(self) -> DrawRequest:
        """A preview needs no name yet."""
        return DrawRequest.model_validate(
            self.cleaned_data | {"name": self.cleaned_data["name"] or "preview"}
        )
