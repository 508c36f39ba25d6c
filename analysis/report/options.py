"""What a researcher may choose about a report."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec


class ReportOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`every` is the period of courses over time as polars has it, such as 1mo, 1q or 1y; by default it follows the
    length of the corpus. `joined` asks for change since authors joined, of those who did so from and until.
    Figures have panels for at most `most_panels` communities, the largest; tables have all. `sections` names those to
    make; without any, all are made.
    """

    title: str = ""
    with_corrected: bool = True
    every: str | None = None
    joined: tuple[datetime, datetime] | None = None
    sections: tuple[str, ...] = ()
    most_panels: Annotated[int, msgspec.Meta(ge=1)] = 12
