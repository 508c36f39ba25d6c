"""What researchers fill in: the final answer to an item, generated from the codebook, and how the study adjudicates."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django import forms

from annotation.answer_checks import LONGEST_REASON
from annotation.answers import Answers, ItemText, Judgment, Span, shown_codes
from annotation.compare_answers import OneSide
from annotation.problems import Problem
from backend.annotate.practice.entries import CodeEntry, GoldEntry, read_entry
from backend.core.accounts.models import User
from backend.decide.adjudication.models import DecisionRound, Way
from backend.decide.adjudication.plan_services import HIGHEST_SEED
from backend.decide.adjudication.seen import Seen
from backend.decide.adjudication.services import Draft
from codebook.schema import AnswerKind, Code, Codebook, Evidence, Question

_PLACE = re.compile(r"(\d{1,7})-(\d{1,7})")
LONGEST_SITTING = 24 * 3600


class DecisionForm(forms.Form):
    """With scripts the words come as exact places (`spans-…`), without them as quotes, one a line (`quotes-…`)."""

    decision_round = forms.TypedChoiceField(
        choices=DecisionRound.choices, coerce=lambda raw: DecisionRound(int(raw))
    )
    expected_number = forms.IntegerField(min_value=0)
    judgments_hash = forms.CharField(required=False, max_length=64)
    edition = forms.IntegerField(required=False)
    opened_at = forms.DateTimeField(required=False)
    way = forms.ChoiceField(choices=Way.choices, required=False)
    accepted_from = forms.IntegerField(required=False)
    seconds = forms.CharField(required=False)
    has_places = forms.BooleanField(required=False)
    settles = forms.BooleanField(required=False)
    reason = forms.CharField(
        required=False, max_length=LONGEST_REASON, widget=forms.Textarea(attrs={"rows": 2})
    )

    def __init__(self, *args: Any, codebook: Codebook, item: ItemText, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._codebook, self._item = codebook, item
        self.shown = list(shown_codes(codebook, item))
        self.problems: dict[str, list[str]] = {}
        for question, code in self.shown:
            self._add_fields(question, code)

    def _add_fields(self, question: Question, code: Code) -> None:
        self.fields[f"value-{code.id}"] = forms.TypedChoiceField(
            choices=answer_choices(question), coerce=int, empty_value=None, required=False, label=code.name
        )
        if takes_words(question):
            self.fields[f"spans-{code.id}"] = forms.CharField(
                required=False, max_length=20_000, label=code.name
            )
            self.fields[f"quotes-{code.id}"] = forms.CharField(
                required=False, widget=forms.Textarea(attrs={"rows": 2})
            )

    def clean_seconds(self) -> float | None:
        """Never a reason to refuse a decision: a page that lay open over night says nothing of how long it took."""
        try:
            seconds = float(self.cleaned_data["seconds"])
        except ValueError:
            return None
        return seconds if 0 <= seconds <= LONGEST_SITTING else None

    @property
    def other_errors(self) -> list[str]:
        """What is wrong with fields that have no place of their own on the page to say so."""
        return [
            f"{self.fields[name].label or name.replace('_', ' ').capitalize()}: {message}"
            for name, messages in self.errors.items()
            if name in self.fields and name != "reason"
            for message in messages
        ]

    def draft(self, annotators: dict[int, User]) -> Draft:
        """Raises nothing: what does not fit is found by the same rules as every answer."""
        data = self.cleaned_data
        return Draft(
            answers=self._places() if data["has_places"] else self._keep_places(),
            reason=data["reason"],
            way=Way(data["way"] or Way.WRITTEN),
            accepted_from=annotators.get(data["accepted_from"] or 0),
            seconds=data["seconds"],
            settles_discussions=data["settles"],
        )

    def seen(self) -> Seen:
        data = self.cleaned_data
        return Seen(data["judgments_hash"] or None, data["edition"], data["opened_at"])

    def _places(self) -> Answers:
        judgments: list[Judgment] = []
        spans: list[Span] = []
        for question, code in self.shown:
            value = self.cleaned_data.get(f"value-{code.id}")
            if value is not None:
                judgments.append(Judgment(code.id, value))
            written = self.cleaned_data.get(f"spans-{code.id}", "")
            spans.extend(Span(code.id, question.part, *place) for place in read_places(written))
        return Answers(tuple(judgments), tuple(spans), None)

    def _keep_places(self) -> Answers:
        """Quotes that were left as they are keep their place, by the places that the page was opened with."""
        entries: dict[str, CodeEntry] = {}
        prior: list[Span] = []
        for question, code in self.shown:
            value = self.cleaned_data.get(f"value-{code.id}")
            quotes = tuple(self.cleaned_data.get(f"quotes-{code.id}", "").splitlines())
            entries[code.id] = CodeEntry(value=value, quotes=quotes)
            opened = read_places(self.cleaned_data.get(f"spans-{code.id}", ""))
            prior.extend(Span(code.id, question.part, *place) for place in opened)
        reading = read_entry(self._codebook, self._item, GoldEntry(entries), prior=tuple(prior))
        self.add_problems(reading.problems)
        left = {code_id for code_id, entry in entries.items() if entry.value is None}
        judged = tuple(judgment for judgment in reading.answers.judgments if judgment.code_id not in left)
        return Answers(judged, reading.answers.spans, None)

    def add_problems(self, problems: Iterable[Problem]) -> None:
        """Each is shown with its code; what concerns no code that is shown stands above the form."""
        shown = {code.id for _, code in self.shown}
        for problem in problems:
            if problem.subject not in shown:
                self.add_error(None, problem.message)
            elif problem.message not in self.problems.get(problem.subject, ()):
                self.problems.setdefault(problem.subject, []).append(problem.message)


def takes_words(question: Question) -> bool:
    return question.answer is AnswerKind.SENTENCES or question.evidence is not Evidence.NONE


def answer_choices(question: Question) -> list[tuple[int, str]]:
    if question.answer.has_levels:
        return [(level.value, level.label) for level in question.levels]
    return [(0, "No"), (1, "Yes")]


def read_places(written: str) -> list[tuple[int, int]]:
    """
    >>> read_places("0-12 20-31"), read_places("")
    ([(0, 12), (20, 31)], [])
    """
    return [(int(start), int(end)) for start, end in _PLACE.findall(written)]


def write_places(places: Iterable[tuple[int, int]]) -> str:
    """
    >>> write_places([(0, 12), (20, 31)])
    '0-12 20-31'
    """
    return " ".join(f"{start}-{end}" for start, end in places)


def initial_of(side: OneSide, item: ItemText) -> dict[str, object]:
    """An answer, whole or in part, as the form shows it first."""
    initial: dict[str, object] = {f"value-{code_id}": value for code_id, value in side.values.items()}
    for code_id in {span.code_id for span in side.spans}:
        spans = side.spans_of(code_id)
        initial[f"spans-{code_id}"] = write_places((span.start, span.end) for span in spans)
        initial[f"quotes-{code_id}"] = "\n".join(" ".join(item.words_of(span).split()) for span in spans)
    return initial


class PlanForm(forms.Form):
    evidence_threshold = forms.FloatField(
        min_value=0,
        max_value=1,
        label="Evidence threshold",
        widget=forms.NumberInput(attrs={"step": "0.01"}),
        help_text="Two annotators who found the same code disagree on its evidence if the token F1 of their snippets "
        "is below this: 1 asks for the same words, 0 never asks.",
    )
    second_share = forms.FloatField(
        min_value=0,
        max_value=1,
        label="Share decided twice",
        widget=forms.NumberInput(attrs={"step": "0.01"}),
        help_text="This share of the items that are decided goes to another researcher, who does not see the first "
        "decision. Set it before you begin: what was seen cannot be made blind afterwards.",
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=HIGHEST_SEED,
        label="Seed",
        help_text="Decides which items are decided twice. The same seed chooses the same ones.",
    )


class DismissForm(forms.Form):
    reason = forms.CharField(max_length=LONGEST_REASON, label="Why the labels are right")
