"""What people type about corpora, and what they choose when they import: a form per kind of source, each giving an
import request."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django import forms
from django.utils.http import url_has_allowed_host_and_scheme

from backend.design.corpora.import_requests import (
    ImportRequest,
    LabelsImport,
    PairsImport,
    dump_import,
)
from corpus.column_roles import guess_pair_columns
from corpus.registry import Option, Reader, readers
from corpus.tables import TableBatch

CUTOFF_HELP = "Records created on or after this day (UTC) are left out; empty keeps all."


class CorpusForm(forms.Form):
    name = forms.CharField(max_length=120)
    description = forms.CharField(
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Which communities, which years, where the dump came from.",
    )


class UploadForm(forms.Form):
    file = forms.FileField()
    next = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean_next(self) -> str:
        """Only a page of this instance: never a way to send someone elsewhere."""
        target: str = self.cleaned_data["next"]
        return target if url_has_allowed_host_and_scheme(target, allowed_hosts=None) else ""


@dataclass(frozen=True)
class ChosenTable:
    """A file of the study whose columns are to be mapped, with its first rows."""

    path: Path
    head: TableBatch


class ImportForm(forms.Form):
    """Fields named in `file_fields` offer the study's files; those in `column_fields` the chosen file's columns."""

    file_fields: Sequence[str] = ()
    column_fields: Sequence[str] = ()

    def __init__(self, *args: Any, files: Sequence[str], table: ChosenTable | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.file_fields:
            self._offer(name, [(file, file) for file in files])
        columns = list(table.head.columns) if table else []
        guesses = self.guesses(table) if table else {}
        for name in self.column_fields:
            blank = ("", "– choose –" if self.fields[name].required else "– none –")
            self._offer(name, [blank, *((column, column) for column in columns)])
            self.fields[name].initial = guesses.get(name.removesuffix("_column"), "")
        if "file" in self.fields and table:
            self.fields["file"].initial = table.path.name

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = choices

    def guesses(self, table: ChosenTable) -> dict[str, str]:
        """By role: a column of the same name is the obvious one, and what is not sure is left open."""
        return {column.lower(): column for column in reversed(list(table.head.columns))}

    @abstractmethod
    def import_request(self) -> ImportRequest: ...


class DumpForm(ImportForm):
    """Of the reader of `kind`, which adds its options."""

    kind: str
    cutoff = forms.DateField(
        required=False, widget=forms.DateInput(attrs={"type": "date"}), label="Cut-off", help_text=CUTOFF_HELP
    )
    replace = forms.BooleanField(
        required=False,
        label="Replace communities that are already there",
        help_text="Otherwise a community that came from another import is an error and nothing changes.",
    )

    def import_request(self) -> ImportRequest:
        return dump_import(self.kind, **self.cleaned_data)


class NamesField(forms.CharField):
    """Names between commas, as a list."""

    def clean(self, value: Any) -> Any:
        return [name.strip() for name in str(super().clean(value)).split(",") if name.strip()]


def _field(option: Option) -> forms.Field:
    given: dict[str, Any] = {
        "label": option.label,
        "help_text": option.help,
        "required": option.is_required,
    }
    match option.takes:
        case "file":
            return forms.ChoiceField(**given)
        case "files":
            return forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple, **given)
        case "names":
            return NamesField(**given | {"help_text": f"Separated by commas. {option.help}"})
    return forms.CharField(max_length=100, **given)


def _dump_form(reader: Reader) -> type[ImportForm]:
    """With the reader's options before the cut-off."""
    content: dict[str, Any] = {option.name: _field(option) for option in reader.options}
    files = tuple(option.name for option in reader.options if option.takes in ("file", "files"))
    content |= {"kind": reader.kind, "file_fields": files, "field_order": (*content, "cutoff", "replace")}
    return type(f"{reader.label.replace(' ', '')}Form", (DumpForm,), content)


class TableForm(ImportForm):
    """A form on a table's columns; what is left blank is not there."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        return {name: value for name, value in cleaned.items() if value not in ("", None)}


def column(label: str, *, required: bool = False, help_text: str = "") -> forms.ChoiceField:
    return forms.ChoiceField(label=label, required=required, help_text=help_text)


class PairsForm(TableForm):
    file_fields = ("file",)
    column_fields = (
        "post_text_column",
        "reply_text_column",
        "post_id_column",
        "reply_id_column",
        "title_column",
        "community_column",
        "post_author_column",
        "reply_author_column",
        "post_created_column",
        "reply_created_column",
        "post_score_column",
        "reply_score_column",
    )
    file = forms.ChoiceField()
    community = forms.CharField(
        required=False, help_text="One name for all rows, unless a column below holds the community."
    )
    community_column = column("Column of the community")
    post_text_column = column("Column of the post's text", required=True)
    reply_text_column = column("Column of the reply's text", required=True)
    post_id_column = column("Column of the post's id", help_text="Without one, ids are made from the texts.")
    reply_id_column = column("Column of the reply's id")
    title_column = column("Column of the post's title")
    post_author_column = column("Column of the post's author")
    reply_author_column = column("Column of the reply's author")
    post_created_column = column("Column of the post's time")
    reply_created_column = column("Column of the reply's time")
    post_score_column = column("Column of the post's score")
    reply_score_column = column("Column of the reply's score")
    drop_duplicate_posts = forms.BooleanField(
        required=False, label="Leave out posts whose title and text came before"
    )
    replace = forms.BooleanField(required=False, label="Replace communities that are already there")

    def guesses(self, table: ChosenTable) -> dict[str, str]:
        return guess_pair_columns(table.path, table.head)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if ("community" in cleaned) == ("community_column" in cleaned):
            self.add_error("community", "Give one name for all rows, or a column: exactly one of the two.")
        return cleaned

    def import_request(self) -> ImportRequest:
        return PairsImport.model_validate(self.cleaned_data)


class LabelsForm(TableForm):
    file_fields = ("file",)
    column_fields = (
        "post_id_column",
        "reply_id_column",
        "value_column",
        "annotator_column",
        "code_column",
        "spans_column",
        "quotes_column",
    )
    file = forms.ChoiceField()
    label_set = forms.CharField(max_length=100, help_text="Several files can go into one set.")
    part = forms.ChoiceField(label="What is labelled", choices=[("reply", "The reply"), ("post", "The post")])
    post_id_column = column("Column of the post's id", required=True)
    reply_id_column = column("Column of the reply's id")
    value_column = column("Column of the value", required=True)
    annotator = forms.CharField(required=False, help_text="One name for all rows, unless a column holds it.")
    annotator_column = column("Column of the annotator")
    code = forms.CharField(required=False, help_text="One code for all rows, unless a column holds it.")
    code_column = column("Column of the code")
    quotes_column = column("Column of quotes", help_text="Passages, matched back to the text.")
    separator = forms.CharField(required=False, initial="|", help_text="What stands between quotes.")
    spans_column = column("Column of spans", help_text="JSON such as [[0, 12]], in characters.")
    community = forms.CharField(required=False, help_text="Only where ids repeat between communities.")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        for name in ("annotator", "code"):
            if (name in cleaned) == (f"{name}_column" in cleaned):
                self.add_error(name, "Give one for all rows, or a column: exactly one of the two.")
        if "spans_column" in cleaned and "quotes_column" in cleaned:
            self.add_error("spans_column", "Evidence comes as spans or as quotes, not as both.")
        if "value_column" in cleaned and cleaned["value_column"] == cleaned.get("post_id_column"):
            self.add_error("value_column", "This column is already read as the post’s id.")
        if cleaned.get("part") == "reply" and "reply_id_column" not in cleaned:
            self.add_error("reply_id_column", "Labels on replies need the reply's id.")
        return cleaned

    def import_request(self) -> ImportRequest:
        return LabelsImport.model_validate(self.cleaned_data)


IMPORT_FORMS: dict[str, type[ImportForm]] = {
    **{kind: _dump_form(reader) for kind, reader in readers().items()},
    "pairs": PairsForm,
    "labels": LabelsForm,
}
