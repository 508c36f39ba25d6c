"""The reasons of gold answers as they are stored: typed on the way in and on the way out."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from backend.annotate.practice.errors import GoldUnreadable


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why the answers are right, by code id, and what else annotators should know of the item."""

    by_code: dict[str, str] = field(default_factory=dict)
    remark: str = ""


class _Reasons(msgspec.Struct, forbid_unknown_fields=True):
    codes: dict[str, str] = {}
    remark: str = ""


def stored_reasons(reasons: Reasons) -> object:
    return msgspec.to_builtins(_Reasons(codes=reasons.by_code, remark=reasons.remark))


def read_reasons(stored: object) -> Reasons:
    try:
        read = msgspec.convert(stored, _Reasons)
    except msgspec.ValidationError as error:
        raise GoldUnreadable(f"The stored reasons cannot be read ({error}): write them again.") from error
    return Reasons(read.codes, read.remark)
