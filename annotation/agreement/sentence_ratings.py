"""Marked sentences as ratings: each sentence is a unit that a rater marked or did not, and belongs to its item."""

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.tabulate import BatchTable
from annotation.agreement.values import JudgedCode, Ratings


def sentence_ratings(table: BatchTable, code: JudgedCode) -> tuple[Ratings, NDArray[np.int64]]:
    """The ratings, 1 where marked, and the place of the item that each sentence is in."""
    lengths = [item.n_sentences.get(code.part, 0) for item in table.judgments.items]
    starts = np.cumsum([0, *lengths])
    values = np.full((int(starts[-1]), len(table.raters)), np.nan)
    for (item, rater), answer in table.answers.items():
        if code.code_id in answer.values:
            values[starts[item] : starts[item + 1], rater] = 0
            marked = [at for at in answer.sentences.get(code.code_id, ()) if at < lengths[item]]
            values[starts[item] + np.array(marked, dtype=np.int64), rater] = 1
    items = np.repeat(np.arange(len(lengths)), lengths)
    names = tuple(f"{table.items[item]} {at - starts[item] + 1}" for at, item in enumerate(items))
    clusters = tuple(table.judgments.items[item].cluster for item in items)
    return Ratings(names, table.raters, values, clusters), items
