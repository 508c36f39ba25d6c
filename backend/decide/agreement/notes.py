"""What the reader of a report has to know about gaps, said once for all themes that it is true of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from annotation.agreement.registry import statistic_names
from backend.decide.agreement.verdicts import ThemeRow


@dataclass(frozen=True, slots=True)
class Note:
    """`themes` are named only where the note is not about all of them."""

    words: str
    themes: tuple[str, ...]


def notes_of(rows: Sequence[ThemeRow]) -> list[Note]:
    """In the order of the codebook; many measures share one note."""
    themes: dict[str, dict[str, None]] = defaultdict(dict)
    for row in rows:
        for name in statistic_names():
            words = row.agreement.ratings[name].note
            if words:
                themes[words][row.code.name] = None
    return [Note(words, () if len(names) == len(rows) else tuple(names)) for words, names in themes.items()]
