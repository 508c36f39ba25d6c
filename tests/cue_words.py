"""A truth that lies in the words: a code is there where a text has its cue, which people see and models can learn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from annotation.answers import ItemText, Span
from annotation.tokens import tokens
from codebook.schema import Codebook, Part
from tests.simulated_annotators import Truth

FEWEST, MOST = 0.2, 0.5


def truth_by_cues(codebook: Codebook, items: Sequence[ItemText]) -> Truth:
    cues = {part: _cues(codebook, items, part) for part in Part}
    values: dict[str, dict[str, int]] = {}
    spans: dict[str, dict[str, Span]] = {}
    for item in items:
        values[item.item_id], spans[item.item_id] = {}, {}
        for part, of_part in cues.items():
            text = item.text_of(part)
            if text is None:
                continue
            places = {text[start:end].lower(): (start, end) for start, end in tokens(text)}
            for code, cue in of_part.items():
                values[item.item_id][code] = int(cue in places)
                # Whoever errs marks the first word
                spans[item.item_id][code] = Span(code, part, *places.get(cue, next(iter(places.values()))))
    return Truth(values, spans)


def _cues(codebook: Codebook, items: Sequence[ItemText], part: Part) -> dict[str, str]:
    """For each code of the part a word of its own that is neither rare nor in most texts."""
    texts = {text for item in items if (text := item.text_of(part)) is not None}
    found = Counter(word for text in texts for word in {text[a:b].lower() for a, b in tokens(text)})
    usable = sorted(
        (word for word, n in found.items() if word.isalpha() and FEWEST <= n / len(texts) <= MOST),
        key=lambda word: (-len(word), word),
    )
    codes = [code.id for question, code in codebook.coded_questions() if question.part is part]
    return dict(zip(codes, usable[: len(codes)], strict=True))
