"""What to bring into a corpus: one shape for forms, calls, commands and job rows."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, date, datetime, time
from typing import Annotated, Literal

from ninja import Field, Schema

from corpus.labels import LabelColumns
from corpus.pairs import PairColumns
from corpus.rules import ImportRules


class _DumpImport(Schema):
    cutoff: date | None = Field(
        default=None, description="Records created on or after this day (UTC) are left out."
    )
    replace: bool = Field(
        default=False, description="Put the new data in the place of communities that are there."
    )

    def rules(self) -> ImportRules:
        return ImportRules(cutoff=datetime.combine(self.cutoff, time(), UTC) if self.cutoff else None)


class RedditImport(_DumpImport):
    kind: Literal["reddit"] = "reddit"
    submissions: list[str] = Field(min_length=1, description="Files of submissions.")
    comments: list[str] = Field(default_factory=list, description="Files of comments.")
    communities: list[str] = Field(default_factory=list, description="Only these subreddits; empty for all.")

    def file_names(self) -> list[str]:
        return [*self.submissions, *self.comments]


class StackExchangeImport(_DumpImport):
    kind: Literal["stackexchange"] = "stackexchange"
    posts: str = Field(description="Posts.xml, or the .7z that holds it.")
    community: str = Field(description="The name that the site gets in the corpus.")

    def file_names(self) -> list[str]:
        return [self.posts]


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


AnyImport = RedditImport | StackExchangeImport | PairsImport | LabelsImport
ImportRequest = Annotated[AnyImport, Field(discriminator="kind")]


class ImportJob(Schema):
    """What an import's job row holds."""

    corpus: int
    actor: int
    request: ImportRequest
