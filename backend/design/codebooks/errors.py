"""What cannot be done about a study's codebook, each under its own name."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches


class EditionError(Exception):
    """A new edition that cannot be added; the message says why."""


class NoCodebook(EditionError):
    def __init__(self) -> None:
        super().__init__(
            "This study has no codebook yet: choose one first, under Codebook, so that it is known what is asked."
        )


class UnknownFormerCode(EditionError):
    def __init__(self, code: str, former: str, known: Collection[str]) -> None:
        near = get_close_matches(former, known, n=1, cutoff=0.6)
        hint = f"Did you mean {near[0]}?" if near else "Name the id of a code of an earlier edition."
        super().__init__(
            f"The code {code} was formerly {former}, it says, and no earlier edition has such a code. {hint}"
        )
