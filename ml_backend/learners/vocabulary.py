"""Which words and runs of characters a text is counted by, and how rare each is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import HashingVectorizer, TfidfVectorizer

from codebook.schema import Part
from ml_backend.examples import Example
from ml_backend.learners.interface import WeightsUnreadable

VOCABULARY = "vocabulary.json"
# Words of one and two, then characters of two to five within words.
KINDS: tuple[dict[str, Any], ...] = (
    {"analyzer": "word", "ngram_range": (1, 2), "token_pattern": r"(?u)\b\w+\b"},
    {"analyzer": "char_wb", "ngram_range": (2, 5)},
)
# What occurs in one text only cannot be learned from, unless there are hardly any texts.
FEW_TEXTS = 50
# What stands in for words where training texts have none at all: it occurs in no text.
NO_WORD = "\x00"


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """In the order of the columns, each with its inverse document frequency."""

    terms: list[str]
    rarity: list[float]


class Vocabulary:
    def __init__(self, kinds: Sequence[Terms]) -> None:
        self.kinds = tuple(kinds)
        self._vectorizers = [_vectorizer(kind, terms) for kind, terms in zip(KINDS, kinds, strict=True)]

    @classmethod
    def learn(cls, texts: Sequence[str]) -> Vocabulary:
        return cls([_learn(kind, texts) for kind in KINDS])

    def features(self, texts: Sequence[str]) -> csr_matrix:
        return hstack([vectorizer.transform(texts) for vectorizer in self._vectorizers], format="csr")


def _learn(kind: dict[str, Any], texts: Sequence[str]) -> Terms:
    vectorizer = TfidfVectorizer(**kind, sublinear_tf=True, min_df=2 if len(texts) >= FEW_TEXTS else 1)
    try:
        vectorizer.fit(texts)
    except ValueError:
        # Empty texts, or none with a word that occurs often enough
        return Terms([NO_WORD], [1.0])
    return Terms(vectorizer.get_feature_names_out().tolist(), vectorizer.idf_.tolist())


def _vectorizer(kind: dict[str, Any], terms: Terms) -> TfidfVectorizer:
    vectorizer = TfidfVectorizer(**kind, sublinear_tf=True, vocabulary=terms.terms)
    vectorizer.idf_ = np.array(terms.rarity)
    return vectorizer


def write_vocabulary(folder: Path, vocabularies: Mapping[str, Vocabulary]) -> None:
    content = {name: vocabulary.kinds for name, vocabulary in vocabularies.items()}
    (folder / VOCABULARY).write_bytes(msgspec.json.encode(content, order="deterministic"))


def read_vocabulary(folder: Path) -> dict[str, Vocabulary]:
    path = folder / VOCABULARY
    try:
        found = msgspec.json.decode(path.read_bytes(), type=dict[str, tuple[Terms, Terms]])
    except (OSError, msgspec.DecodeError) as error:
        raise WeightsUnreadable(path) from error
    return {name: Vocabulary(kinds) for name, kinds in found.items()}


N_FEATURES = 512


def embedded_by_words(examples: Sequence[Example]) -> NDArray[np.float32]:
    """Words hashed into a fixed number of columns, without anything learned, so that it is the same for every text."""
    if not examples:
        return np.zeros((0, N_FEATURES), dtype=np.float32)
    words = HashingVectorizer(n_features=N_FEATURES, norm="l2", alternate_sign=True)
    texts = [" ".join(example.shown(part)[0] for part in Part) for example in examples]
    return np.asarray(words.transform(texts).toarray(), dtype=np.float32)
