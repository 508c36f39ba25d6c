"""What an import keeps and how much it is willing to read, as plain data that is stored with the result."""

from dataclasses import dataclass, field
from datetime import datetime

from corpus.errors import InvalidRules

MIB = 2**20


@dataclass(frozen=True)
class ReadLimits:
    """Bounds against hostile or broken files.

    Plain text compresses 10 to 20 times and very repetitive dumps about 60 times, so a ratio of 200 is
    never met by honest data; it is looked at only once `ratio_after_bytes` have come out. `chunk_bytes` is how
    much text is worked on at a time, and so what is lost when an import is killed.
    """

    max_output_bytes: int = 2**40
    max_ratio: float = 200.0
    ratio_after_bytes: int = 32 * MIB
    max_line_bytes: int = 4 * MIB
    chunk_bytes: int = 8 * MIB

    def __post_init__(self) -> None:
        for name in ("max_output_bytes", "max_ratio", "ratio_after_bytes", "max_line_bytes", "chunk_bytes"):
            if getattr(self, name) <= 0:
                raise InvalidRules(f"{name} must be greater than 0.")
        if self.chunk_bytes < 2 * self.max_line_bytes:
            raise InvalidRules(
                "chunk_bytes must be at least twice max_line_bytes, so that lines fit in a chunk."
            )


@dataclass(frozen=True)
class ImportRules:
    """Which records stay. `cutoff`: records created at or after it are dropped."""

    cutoff: datetime | None = None
    drop_duplicate_posts: bool = True
    keep_title_only_posts: bool = True
    skip_broken_lines: bool = False
    limits: ReadLimits = field(default_factory=ReadLimits)

    def __post_init__(self) -> None:
        if self.cutoff is not None and self.cutoff.tzinfo is None:
            raise InvalidRules("The cut-off needs a time zone, for example datetime(2023, 1, 1, tzinfo=UTC).")
