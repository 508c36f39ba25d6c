"""What is known of a sentence without its words: where it stands, whether who speaks it is who answers, and what the
release says of the item, such as its emotion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from annotation.answers import ItemText, SentenceList
from codebook.schema import Part
from ml_backend.examples import Example
from ml_backend.learners.scores import Numbers

SPEAKER = "speaker"
# A feature with more values than this names items and tells nothing that others share.
MOST_VALUES = 50
PLACES = ("distance", "index", "relative", "sentences", "same speaker")
NEAR = 5
_DISTANCE, _INDEX, _RELATIVE, _N, _SAME = range(len(PLACES))

KnownValues = Mapping[str, tuple[str, ...]]


def known_values(train: Sequence[Example]) -> dict[str, tuple[str, ...]]:
    """By feature of an item the values that training saw, in order."""
    found: dict[str, set[str]] = {}
    for example in train:
        features = example.text.features
        for name, value in (features.of_item if features else {}).items():
            found.setdefault(name, set()).add(value)
    return {
        name: tuple(sorted(values)) for name, values in sorted(found.items()) if len(values) <= MOST_VALUES
    }


def position_rows(text: ItemText, part: Part, known: KnownValues) -> Numbers:
    """A row for each sentence: `PLACES`, with NaN where nobody says who speaks, then a column for each known value."""
    n = len(text.sentences_of(part))
    index = np.arange(n, dtype=np.float64)
    of_item = text.features.of_item if text.features else {}
    values = [float(of_item.get(name) == each) for name, several in known.items() for each in several]
    columns = [
        n - 1 - index,
        index,
        (index + 1) / max(n, 1),
        np.full(n, float(n)),
        _same_speaker(text, part, n),
    ]
    return np.column_stack([*columns, *(np.full(n, value) for value in values)])


def column_names(known: KnownValues) -> tuple[str, ...]:
    return (*PLACES, *(f"{name}: {each}" for name, several in known.items() for each in several))


def dense_rows(rows: Numbers) -> Numbers:
    """The same for a network: near distances each by itself, far ones and places by their logarithm, none missing."""
    distance, same = rows[:, _DISTANCE], rows[:, _SAME]
    near = [(distance == each).astype(float) for each in range(NEAR)]
    columns = [
        *near,
        np.log1p(distance),
        np.log1p(rows[:, _INDEX]),
        rows[:, _RELATIVE],
        np.log1p(rows[:, _N]),
        (same == 1).astype(float),
        (same == 0).astype(float),
    ]
    return np.column_stack([*columns, rows[:, len(PLACES) :]])


def dense_width(known: KnownValues) -> int:
    return NEAR + 6 + sum(map(len, known.values()))


def words_of(text: ItemText, part: Part) -> list[str]:
    """The sentences, without the name of who speaks where it stands before them."""
    own = text.text_of(part) or ""
    sentences = [own[start:end] for start, end in text.sentences_of(part)]
    speakers = _speakers(text, part)
    if len(speakers) != len(sentences):
        return sentences
    return [each.removeprefix(f"{name}: ") for each, name in zip(sentences, speakers, strict=True)]


def _speakers(text: ItemText, part: Part) -> tuple[str, ...]:
    given = _given_sentences(text, part)
    return given.features.get(SPEAKER, ()) if given else ()


def _given_sentences(text: ItemText, part: Part) -> SentenceList | None:
    return text.features.sentences.get(part) if text.features else None


def _same_speaker(text: ItemText, part: Part, n: int) -> Numbers:
    speakers, answering = _speakers(text, part), _other_speaker(text, part)
    if len(speakers) != n or answering is None:
        return np.full(n, np.nan)
    return np.array([float(each == answering) for each in speakers])


def _other_speaker(text: ItemText, part: Part) -> str | None:
    """Who speaks the other part: named with it, or for the item, or as that of the last sentence where this is the
    other part itself."""
    other = Part.REPLY if part is Part.POST else Part.POST
    named = _speakers(text, other) or tuple(
        value for name, value in (text.features.of_item if text.features else {}).items() if name == SPEAKER
    )
    if named:
        return named[0]
    speakers, words = _speakers(text, part), words_of(text, part)
    is_last = bool(words) and words[-1].strip() == (text.text_of(other) or "").strip()
    return speakers[-1] if speakers and is_last else None
