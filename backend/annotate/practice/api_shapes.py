"""What calls about gold answers send and answer."""

from __future__ import annotations

from datetime import datetime

from ninja import Field, Schema

from codebook.schema import Part


class QuoteOut(Schema):
    """`start` and `end` count the code points of the part's text; `end` is not included."""

    part: Part
    start: int
    end: int
    text: str


class CodeOut(Schema):
    value: int
    quotes: list[QuoteOut]
    why: str


class GoldListed(Schema):
    item: str = Field(alias="item.item_id")
    edition: int = Field(alias="edition.number")
    written_by: str = Field(alias="written_by.username")
    written_at: datetime


class GoldOut(Schema):
    item: str
    edition: int
    codes: dict[str, CodeOut] = Field(description="By code id; one for each code that the item shows.")
    remark: str
    written_by: str
    written_at: datetime
    notes: list[str] = Field(default_factory=list, description="What was understood in one of several ways.")


class PastGoldOut(Schema):
    id: int
    written_by: str = Field(alias="written_by.username")
    written_at: datetime
    replaced_by: str = Field(alias="replaced_by.username")
    replaced_at: datetime


class GoldFileIn(Schema):
    file_name: str = Field(
        min_length=1, max_length=200, description="Its ending says the form: .yaml or .jsonl."
    )
    source: str = Field(description="The file's text.")


class ImportedOut(Schema):
    added: int
    changed: int
    unchanged: int
    notes: list[str]


class CarriedOut(Schema):
    items: int = Field(description="How many were copied to the edition in force.")
    left: dict[str, list[str]] = Field(description="By item: what the codebook asks beyond the earlier gold.")
