"""What people type when they open a batch and change one."""

from __future__ import annotations

from typing import Any

from django import forms

from backend.annotate.batches.candidates import annotators_of, fresh_counts, researching
from backend.annotate.batches.models import Batch, BatchKind, BatchState
from backend.annotate.batches.requests import BatchRequest
from backend.core.studies.models import Study

ADAPTIVE_FIELDS = ("start_with", "at_most", "sure_at", "budget")
FIELDS_OF_KIND = {
    BatchKind.PRACTICE: ("n",),
    BatchKind.OVERLAP: ("samples", "n"),
    BatchKind.ADAPTIVE: ("samples", "n", *ADAPTIVE_FIELDS),
    BatchKind.MAIN: ("samples", "n"),
    BatchKind.RECHECK: ("n", "submitted_days_ago"),
}
NUMBERS = {
    BatchKind.PRACTICE: ("How many items", "The same for everybody. Empty: all that have gold answers."),
    BatchKind.OVERLAP: ("How many items", "The same for everybody. Empty: all that are left."),
    BatchKind.ADAPTIVE: ("How many items", "In all. Empty: all that are left."),
    BatchKind.MAIN: ("How many items for each annotator", "Empty: all that are left, in even shares."),
    BatchKind.RECHECK: ("How many items for each annotator", "Out of what each has submitted before."),
}


class MultipleBoxes(forms.MultipleChoiceField):
    widget = forms.CheckboxSelectMultiple


class PlanForm(forms.Form):
    """Only the fields that matter to the kind of batch."""

    name = forms.CharField(
        max_length=120,
        help_text="Annotators see it, so it should not tell what the batch is for. Unique within the study.",
    )
    samples = MultipleBoxes(label="Take items from", help_text="Only items that no batch has had are taken.")
    n = forms.IntegerField(min_value=1, max_value=1_000_000, required=False)
    submitted_days_ago = forms.IntegerField(
        label="Submitted at least so many days ago", min_value=0, max_value=10_000, initial=14
    )
    start_with = forms.TypedChoiceField(
        label="Annotators that each item starts with",
        choices=[(1, "1, and 2 for a tenth of the items"), (2, "2")],
        coerce=int,
        initial=2,
        help_text="Agreement is measured on items that start with 2.",
    )
    at_most = forms.IntegerField(label="Annotators an item has at most", min_value=2, max_value=20, initial=3)
    sure_at = forms.FloatField(
        label="Sure at",
        min_value=0.51,
        max_value=0.999,
        initial=0.9,
        help_text="Nobody else is asked once the likeliest answer to each theme is so probable.",
    )
    budget = forms.IntegerField(
        label="Answers in all",
        min_value=1,
        required=False,
        help_text="Where this is reached, nobody else is asked; the least sure items come first. Empty: no limit.",
    )
    annotators = MultipleBoxes(label="Who works on it")
    due_on = forms.DateField(
        label="Due date",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text="Shown to annotators; nothing closes by itself.",
    )
    seed = forms.IntegerField(
        min_value=0, max_value=2**63 - 1, help_text="The same seed deals the same items to the same people."
    )

    def __init__(self, *args: Any, study: Study, kind: BatchKind, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        for name in {"samples", "n", "submitted_days_ago", *ADAPTIVE_FIELDS} - set(FIELDS_OF_KIND[kind]):
            del self.fields[name]
        self.fields["n"].label, self.fields["n"].help_text = NUMBERS[kind]
        self.fields["n"].required = kind == BatchKind.RECHECK
        _offer(self, "annotators", _people(study))
        people = list(annotators_of(study))
        # What they answered before is no secret to those who research too
        readers = researching(people, study) if kind == BatchKind.RECHECK else []
        self.fields["annotators"].initial = [user.username for user in people if user not in readers]
        if "samples" in self.fields:
            left = fresh_counts(study)
            _offer(self, "samples", [(name, f"{name} ({n:,} left)") for name, n in left.items()])
            self.fields["samples"].initial = [name for name, n in left.items() if n][:1]

    def batch_request(self) -> BatchRequest:
        return BatchRequest.model_validate(self.cleaned_data | {"kind": self.kind.value})


class DueDateForm(forms.Form):
    due_on = forms.DateField(
        label="Due date",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text="Empty: none.",
    )


class NameForm(forms.Form):
    name = forms.CharField(
        max_length=120, help_text="Annotators see it, so it should not tell what the batch is for."
    )


class HandOverForm(forms.Form):
    """Whose unfinished items go to whom."""

    annotator = forms.ChoiceField(label="From")
    to = MultipleBoxes(label="To")
    n = forms.IntegerField(
        label="How many",
        min_value=1,
        required=False,
        help_text="The last ones of their share. Empty: all that are unfinished.",
    )

    def __init__(self, *args: Any, batch: Batch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer(self, "annotator", _in_batch(batch))
        _offer(self, "to", _people(batch.study))


class WithdrawForm(forms.Form):
    """Nobody is asked who takes over where nothing can be handed over."""

    annotator = forms.ChoiceField(label="Who")
    to = MultipleBoxes(
        label="Hand their unfinished items to",
        required=False,
        help_text="Nobody: the items wait, and can be handed over later.",
    )

    def __init__(self, *args: Any, batch: Batch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer(self, "annotator", _in_batch(batch, withdrawn_at=None))
        if batch.kind == BatchKind.RECHECK or batch.state == BatchState.CLOSED:
            del self.fields["to"]
        else:
            _offer(self, "to", _people(batch.study))


class RestoreForm(forms.Form):
    annotator = forms.ChoiceField()

    def __init__(self, *args: Any, batch: Batch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer(self, "annotator", _in_batch(batch))


def _offer(form: forms.Form, name: str, choices: list[tuple[str, str]]) -> None:
    field = form.fields[name]
    if not isinstance(field, forms.ChoiceField):
        raise TypeError(name)
    field.choices = choices


def _people(study: Study) -> list[tuple[str, str]]:
    return [(user.username, str(user)) for user in annotators_of(study)]


def _in_batch(batch: Batch, **only: None) -> list[tuple[str, str]]:
    shares = batch.assignments.filter(**only).select_related("annotator").order_by("annotator__username")
    return [(share.annotator.username, str(share.annotator)) for share in shares]
