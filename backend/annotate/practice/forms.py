"""What researchers fill in about gold: one form generated from the codebook for each item, and a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotation.answer_checks import LONGEST_REASON
from annotation.answers import ItemText, shown_codes
from annotation.problems import Problem
from backend.annotate.practice.entries import CodeEntry, GoldEntry
from backend.annotate.practice.files import MAX_BYTES
from codebook.schema import AnswerKind, Code, Codebook, Evidence, Level, Question


@dataclass(frozen=True, slots=True)
class CodeFields:
    """The fields of one code; `quotes` is None where the codebook asks for no words."""

    code: Code
    value: forms.BoundField | None
    quotes: forms.BoundField | None
    why: forms.BoundField
    errors: list[str]
    levels: list[tuple[Level, str, bool]]

    @property
    def is_tick(self) -> bool:
        return self.value is not None and not self.levels


@dataclass(frozen=True, slots=True)
class QuestionFields:
    question: Question
    codes: list[CodeFields]


class GoldForm(forms.Form):
    """Only what the item shows is asked for: without a reply, nothing about it."""

    remark = forms.CharField(
        required=False,
        max_length=LONGEST_REASON,
        label="Remark on the item",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="What else annotators should know; shown after they submitted.",
    )

    def __init__(self, *args: Any, codebook: Codebook, item: ItemText, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._shown = list(shown_codes(codebook, item))
        self._problems: dict[str, list[str]] = {}
        for question, code in self._shown:
            self._add_fields(question, code)

    def _add_fields(self, question: Question, code: Code) -> None:
        if question.answer is AnswerKind.TICK:
            self.fields[f"value-{code.id}"] = forms.BooleanField(required=False, label=code.name)
        elif question.answer.has_levels:
            choices = [(level.value, f"{level.value} · {level.label}") for level in question.levels]
            self.fields[f"value-{code.id}"] = forms.TypedChoiceField(
                choices=choices, coerce=int, empty_value=None, required=False, label=code.name
            )
        if question.answer is AnswerKind.SENTENCES or question.evidence is not Evidence.NONE:
            self.fields[f"quotes-{code.id}"] = _lines(_quotes_label(question))
        self.fields[f"why-{code.id}"] = _lines("Why, in a sentence or two", LONGEST_REASON)

    def entry(self) -> GoldEntry:
        codes = {}
        for question, code in self._shown:
            value = self.cleaned_data.get(f"value-{code.id}")
            codes[code.id] = CodeEntry(
                value=int(value)
                if value is not None and question.answer is not AnswerKind.SENTENCES
                else None,
                quotes=tuple(self.cleaned_data.get(f"quotes-{code.id}", "").splitlines()),
                why=self.cleaned_data[f"why-{code.id}"],
            )
        return GoldEntry(codes, self.cleaned_data["remark"])

    def add_problems(self, problems: Iterable[Problem]) -> None:
        """Each is shown with its code; what concerns no code that is shown stands above the form."""
        shown = {code.id for _, code in self._shown}
        for problem in problems:
            if problem.subject in shown:
                self._problems.setdefault(problem.subject, []).append(problem.message)
            else:
                self.add_error(None, problem.message)

    @property
    def problem_count(self) -> int:
        return sum(len(messages) for messages in self._problems.values())

    def questions(self) -> Iterator[QuestionFields]:
        found: dict[str, QuestionFields] = {}
        for question, code in self._shown:
            fields = found.setdefault(question.id, QuestionFields(question, []))
            fields.codes.append(self._code_fields(question, code))
        yield from found.values()

    def _code_fields(self, question: Question, code: Code) -> CodeFields:
        value = self[f"value-{code.id}"] if f"value-{code.id}" in self.fields else None
        chosen = str(value.value()) if value else ""
        return CodeFields(
            code=code,
            value=value,
            quotes=self[f"quotes-{code.id}"] if f"quotes-{code.id}" in self.fields else None,
            why=self[f"why-{code.id}"],
            errors=self._problems.get(code.id, []),
            levels=[
                (level, key, str(level.value) == chosen)
                for level, key in zip(question.levels, code.hotkey, strict=False)
            ],
        )


def initial_of(entry: GoldEntry) -> dict[str, object]:
    """An entry as the form shows it first."""
    initial: dict[str, object] = {"remark": entry.remark}
    for code_id, code in entry.codes.items():
        initial[f"value-{code_id}"] = code.value
        initial[f"quotes-{code_id}"] = "\n".join(code.quotes)
        initial[f"why-{code_id}"] = code.why
    return initial


def _lines(label: str, longest: int | None = None) -> forms.CharField:
    # The placeholder lets the style sheet tell an empty box from a full one
    widget = forms.Textarea(attrs={"rows": 2, "placeholder": " "})
    return forms.CharField(required=False, label=label, max_length=longest, widget=widget)


def _quotes_label(question: Question) -> str:
    if question.answer is AnswerKind.SENTENCES:
        return f"Sentences of the {question.part}, one a line"
    return f"Words of the {question.part} that show it, one quote a line"


class GoldFileForm(forms.Form):
    file = forms.FileField(
        label="File of gold answers",
        help_text="YAML or JSON Lines. What the file has again is changed, the rest stays.",
    )

    def clean_file(self) -> UploadedFile[Any]:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if file.size is None or file.size > MAX_BYTES:
            raise forms.ValidationError(f"The file is longer than {MAX_BYTES:,} bytes: split it.")
        return file

    def source(self) -> str:
        """Raises UnicodeDecodeError for anything but UTF-8."""
        content: bytes = self.cleaned_data["file"].read()
        return content.decode("utf-8-sig")
