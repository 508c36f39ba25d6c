"""Items that are likely to show themes of which there are few examples.

    gain_i = Σ_c p_ic / (n_c + 1)  /  Σ_c 1 / (n_c + 1)

p_ic is the probability that item i has code c, and n_c how many annotated items have it: one more example of a
theme with four is a fifth more, of one with a hundred hardly anything. Rating scales have no such answer and are
left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from codebook.schema import Codebook
from learning.predictions.rows import answer_values
from learning.query_strategies.pool import Pool, PoolUnfit, Scores


@dataclass(frozen=True, slots=True)
class RareThemes:
    """`n_found` has, by code, how many annotated items have it; a code that is not there has none."""

    codebook: Codebook
    n_found: Mapping[str, int]
    name: ClassVar[str] = "rare-themes"
    is_random: ClassVar[bool] = False

    def scores(self, pool: Pool) -> Scores:
        coded = list(self.codebook.coded_questions())
        if len(coded) != len(pool.probabilities):
            raise PoolUnfit("The pool was predicted with another codebook: predict it with this one.")
        gain, total = np.zeros(len(pool.item_ids)), 0.0
        for (question, code), each in zip(coded, pool.probabilities, strict=True):
            if question.present_values:
                finds = np.isin(answer_values(question), list(question.present_values))
                weight = 1 / (self.n_found.get(code.id, 0) + 1)
                gain += weight * np.nan_to_num(each.mean(axis=0)[:, finds].sum(axis=1))
                total += weight
        return gain / total if total else gain
