"""How a judged sentence stands to what is around it: how alike it is to the other text and to its neighbours, by the
vectors of a backbone that does not learn and by shared words; how long sentences are, and what signs they have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch

from codebook.schema import Part
from ml_backend.co_attention.preparing import Prepared, SentenceList
from ml_backend.learners.position_features import words_of
from ml_backend.learners.scores import Numbers

# Shorter words are shared by any two sentences.
_LONG_WORD = re.compile(r"\w{3,}")
COLUMNS = (
    *(
        "likest of the other",
        "mean of the other",
        "next",
        "before",
        "next to the other",
        "before to the other",
    ),
    *("likelier sentences", "above the mean", "shared of own", "shared of the other"),
    *("length", "length of the other", "asks", "other asks", "calls", "other calls"),
    *("next asks", "before asks", "length of next", "length of all after"),
)
# What the company of a sentence changes in its vector lies far behind, and must not decide which of two is liker.
DIGITS = 4
# Means and standard deviations of the columns.
Scaling = tuple[tuple[float, ...], tuple[float, ...]]
_FARTHEST = 4.0


def with_relations(prepared: Sequence[Prepared], sentences: SentenceList) -> list[Prepared]:
    """The same with `relations`, which need the vectors of all sentences."""
    return [
        replace(each, relations={part: _relation_rows(each, part, sentences) for part in each.rows})
        for each in prepared
    ]


def _relation_rows(prepared: Prepared, part: Part, sentences: SentenceList) -> Numbers:
    """A row for each judged sentence, NaN where there is nothing to compare with."""
    other = Part.REPLY if part is Part.POST else Part.POST
    text = prepared.example.text
    own_words = words_of(text, part)
    other_words = words_of(text, other) if text.text_of(other) is not None else []
    own, others = (_unit_vectors(prepared.sentences.get(each, ()), sentences) for each in (part, other))
    likest, mean = _likeness(own, others)
    neighbours = (own[:-1] * own[1:]).sum(axis=1).round(DIGITS)
    lengths = np.array([float(len(each)) for each in own_words])
    asks = np.array([float("?" in each) for each in own_words])
    calls = np.array([float("!" in each) for each in own_words])
    shared = _shared_words(own_words, other_words)
    n = len(own_words)
    columns = [
        likest,
        mean,
        _after(neighbours, n),
        _before(neighbours, n),
        _after(likest[1:], n),
        _before(likest[:-1], n),
        (likest[None, :] > likest[:, None]).sum(axis=1).astype(float),
        likest - likest.mean(),
        *shared,
        lengths,
        np.full(n, float(sum(map(len, other_words)))),
        asks,
        np.full(n, float(any("?" in each for each in other_words))),
        calls,
        np.full(n, float(any("!" in each for each in other_words))),
        _after(asks[1:], n),
        _before(asks[:-1], n),
        _after(lengths[1:], n),
        lengths[::-1].cumsum()[::-1] - lengths,
    ]
    return np.column_stack(columns)


def _unit_vectors(places: Sequence[int], sentences: SentenceList) -> Numbers:
    assert sentences.vectors is not None, "relations are of sentences that were read"
    found = sentences.vectors[torch.tensor(places, dtype=torch.long)].double().numpy()
    lengths: Numbers = np.linalg.norm(found, axis=1, keepdims=True)
    unit: Numbers = found / np.maximum(lengths, 1e-9)
    return unit


def _likeness(own: Numbers, others: Numbers) -> tuple[Numbers, Numbers]:
    """Cosine with the likest sentence of the other text, and on average."""
    if not len(others):
        return np.full(len(own), np.nan), np.full(len(own), np.nan)
    found = (own @ others.T).round(DIGITS)
    return found.max(axis=1), found.mean(axis=1)


def _after(values: Numbers, n: int) -> Numbers:
    return np.concatenate([values, np.full(n - len(values), np.nan)])


def _before(values: Numbers, n: int) -> Numbers:
    return np.concatenate([np.full(n - len(values), np.nan), values])


def _shared_words(own: Sequence[str], other: Sequence[str]) -> tuple[Numbers, Numbers]:
    """The share of a sentence's long words that the other text has too, and of the other text's that it has."""
    of_other = set(_long_words(" ".join(other)))
    shares = []
    for each in own:
        words = _long_words(each)
        n = len(words & of_other)
        shares.append((n / max(1, len(words)), n / max(1, len(of_other))))
    found = np.array(shares).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _long_words(text: str) -> set[str]:
    return set(_LONG_WORD.findall(text.casefold()))


def scaling_of(prepared: Sequence[Prepared]) -> Scaling:
    rows = np.vstack(
        [own for each in prepared for own in each.relations.values()] or [np.zeros((1, len(COLUMNS)))]
    )
    known = ~np.isnan(rows)
    n = np.maximum(1, known.sum(axis=0))
    means = np.where(known, rows, 0).sum(axis=0) / n
    spread = np.sqrt(np.where(known, (rows - means) ** 2, 0).sum(axis=0) / n)
    return tuple(means.tolist()), tuple(np.where(spread > 0, spread, 1.0).tolist())


def with_network_rows(prepared: Sequence[Prepared], *, positions: bool, scaling: Scaling) -> list[Prepared]:
    """`rows` as a network takes them: the positions, if it does, and what relations there are, in standard deviations,
    and in the middle where they are missing."""
    return [
        replace(
            each,
            rows={
                part: torch.cat(
                    [*([own] if positions else []), _scale(each.relations.get(part), len(own), scaling)],
                    dim=1,
                )
                for part, own in each.rows.items()
            },
        )
        for each in prepared
    ]


def _scale(rows: Numbers | None, n: int, scaling: Scaling) -> torch.Tensor:
    if rows is None:
        return torch.zeros((n, 0))
    means, spread = map(np.array, scaling)
    found = np.nan_to_num((rows - means) / spread).clip(-_FARTHEST, _FARTHEST)
    return torch.from_numpy(found.astype(np.float32))
