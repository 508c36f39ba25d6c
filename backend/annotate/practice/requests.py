"""What a notebook, a file or a form says about the gold of one item; one shape for all three."""

from __future__ import annotations

from ninja import Field, Schema
from pydantic import ConfigDict

from backend.annotate.practice.entries import CodeEntry, GoldEntry


class CodeIn(Schema):
    """The right answer for one code."""

    model_config = ConfigDict(extra="forbid")

    value: int | None = Field(None, description="The level, or 1 if the code is there and 0 if not.")
    ticked: bool | None = Field(None, description="The same as value 1 or 0; not for codes with levels.")
    quotes: list[str] = Field(
        default_factory=list, max_length=200, description="Words that show it, verbatim."
    )
    why: str = Field("", description="The reason, shown to annotators after they submitted.")


class GoldIn(Schema):
    """The gold of one item. Ticks that are not mentioned are not there."""

    model_config = ConfigDict(extra="forbid")

    codes: dict[str, CodeIn] = Field(default_factory=dict, description="By code id.")
    remark: str = Field("", description="What else annotators should know, shown after they submitted.")

    def entry(self) -> GoldEntry:
        codes = {
            code_id: CodeEntry(code.value, code.ticked, tuple(code.quotes), code.why)
            for code_id, code in self.codes.items()
        }
        return GoldEntry(codes, self.remark)


class ItemGoldIn(GoldIn):
    """One line of a JSON Lines file."""

    item: str = Field(min_length=1, max_length=40)
