"""Corpora for tests: by exact counts, and simulated with known effects and a model whose errors are known."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from analysis.labelled import LabelledCorpus, labelled_corpus
from codebook.schema import Part


def counted_corpus(
    part: Part, by: str, sizes: Mapping[str, int], found: Mapping[str, Sequence[int]]
) -> LabelledCorpus:
    """Items in groups of these sizes; of each code as many are found in each group as `found` says."""
    group = np.repeat(np.array(list(sizes)), list(sizes.values()))
    labels = {
        f"model.{code}": np.concatenate(
            [np.arange(size) < count for size, count in zip(sizes.values(), counts, strict=True)]
        ).astype(np.uint8)
        for code, counts in found.items()
    }
    ids = [f"{at}" for at in range(len(group))]
    items = pl.DataFrame({"item_id": ids, "post": ids, "community": group, by: group} | labels)
    return labelled_corpus(items, part=part, codes={code: code for code in found})
