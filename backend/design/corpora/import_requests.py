"""What to bring into a corpus: one shape for forms, calls, commands and job rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from ninja import Field, Schema
from pydantic import create_model

from corpus.labels import LabelColumns
from corpus.pairs import PairColumns
from corpus.registry import Reader, readers
from corpus.rules import ImportRules


class DumpImport(Schema):
    """Of a dump that a reader of `corpus.registry` knows, whose options are the other fields."""

    kind: str
    cutoff: date | None = Field(
        default=None, description="Records created on or after this day (UTC) are left out."
    )
    replace: bool = Field(
        default=False, description="Put the new data in the place of communities that are there."
    )

    def rules(self) -> ImportRules:
        return ImportRules(cutoff=datetime.combine(self.cutoff, time(), UTC) if self.cutoff else None)

    def file_names(self) -> list[str]:
        options = readers()[self.kind].options
        given = (getattr(self, option.name) for option in options if option.takes in ("file", "files"))
        return [name for names in given for name in ([names] if isinstance(names, str) else names)]

    def arguments(self, resolve: Callable[[str], Path]) -> dict[str, object]:
        """Of the reader's function; `resolve` turns file names into paths."""
        made: dict[str, object] = {}
        for option in readers()[self.kind].options:
            value = getattr(self, option.name)
            if option.takes == "file":
                value = resolve(value)
            elif option.takes == "files":
                value = [resolve(name) for name in value]
            made[option.name] = value
        return made


def _dump_import(reader: Reader) -> type[DumpImport]:
    fields: dict[str, Any] = {"kind": (Literal[reader.kind], reader.kind)}
    for option in reader.options:
        is_list = option.takes in ("files", "names")
        default: Any = ... if option.is_required else [] if is_list else ""
        least: dict[str, Any] = {"min_length": 1} if is_list and option.is_required else {}
        fields[option.name] = (
            list[str] if is_list else str,
            Field(default, description=option.help, **least),
        )
    made: type[DumpImport] = create_model(
        f"{reader.label.replace(' ', '')}Import", __base__=DumpImport, __module__=__name__, **fields
    )
    return made


DUMP_IMPORTS = {kind: _dump_import(reader) for kind, reader in readers().items()}


def dump_import(kind: str, **given: object) -> DumpImport:
    """
    >>> dump_import("stackexchange", posts="Posts.xml", community="parenting").file_names()
    ['Posts.xml']
    """
    return DUMP_IMPORTS[kind].model_validate(given)


class PairsImport(Schema):
    kind: Literal["pairs"] = "pairs"
    file: str = Field(description="CSV, JSONL or Parquet.")
    community: str | None = Field(None, description="One name for all rows; else give community_column.")
    community_column: str | None = None
    post_text_column: str
    reply_text_column: str
    post_id_column: str | None = None
    reply_id_column: str | None = None
    title_column: str | None = None
    post_author_column: str | None = None
    reply_author_column: str | None = None
    post_created_column: str | None = None
    reply_created_column: str | None = None
    post_score_column: str | None = None
    reply_score_column: str | None = None
    drop_duplicate_posts: bool = Field(False, description="Leave out posts whose title and text came before.")
    replace: bool = False

    def rules(self) -> ImportRules:
        return ImportRules(drop_duplicate_posts=self.drop_duplicate_posts)

    def columns(self) -> PairColumns:
        return PairColumns(
            **{field.name: getattr(self, f"{field.name}_column") for field in fields(PairColumns)}
        )

    def file_names(self) -> list[str]:
        return [self.file]


class LabelsImport(Schema):
    kind: Literal["labels"] = "labels"
    file: str = Field(description="CSV, JSONL or Parquet.")
    label_set: str = Field(description="Several files can go into one set.")
    community: str | None = Field(None, description="Only where post ids repeat between communities.")
    part: Literal["post", "reply"] = "reply"
    post_id_column: str
    reply_id_column: str | None = None
    value_column: str
    annotator_column: str | None = None
    annotator: str | None = Field(None, description="One name for all rows; else give annotator_column.")
    code_column: str | None = None
    code: str | None = Field(None, description="One code for all rows; else give code_column.")
    spans_column: str | None = Field(None, description="JSON such as [[0, 12]], in code points.")
    quotes_column: str | None = Field(None, description="Quoted passages, matched back to the text.")
    separator: str = Field("|", description="What stands between quotes.")

    def columns(self) -> LabelColumns:
        return LabelColumns(
            post_id=self.post_id_column,
            reply_id=self.reply_id_column,
            value=self.value_column,
            annotator=self.annotator_column,
            annotator_is=self.annotator,
            code=self.code_column,
            code_is=self.code,
            spans=self.spans_column,
            quotes=self.quotes_column,
            separator=self.separator,
            part=self.part,
        )

    def file_names(self) -> list[str]:
        return [self.file]


if TYPE_CHECKING:
    ImportRequest = DumpImport | PairsImport | LabelsImport
else:
    ImportRequest = Annotated[
        Union[(*DUMP_IMPORTS.values(), PairsImport, LabelsImport)], Field(discriminator="kind")
    ]


class ImportJob(Schema):
    """What an import's job row holds."""

    corpus: int
    actor: int
    request: ImportRequest
