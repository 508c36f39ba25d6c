"""Places texts near each other by the words they share, for learners that have no better idea of likeness."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import HashingVectorizer

from codebook.schema import Part
from ml_backend.examples import Example

N_FEATURES = 512


def embedded_by_words(examples: Sequence[Example]) -> NDArray[np.float32]:
    """Words hashed into a fixed number of columns, without anything learned, so that it is the same for every text."""
    if not examples:
        return np.zeros((0, N_FEATURES), dtype=np.float32)
    words = HashingVectorizer(n_features=N_FEATURES, norm="l2", alternate_sign=True)
    texts = [" ".join(example.shown(part)[0] for part in Part) for example in examples]
    return np.asarray(words.transform(texts).toarray(), dtype=np.float32)
