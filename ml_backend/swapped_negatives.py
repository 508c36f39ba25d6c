"""Replies under other people's posts as examples of "no", so that a learner has to look at the post."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from annotation.release.rows import SplitPart
from codebook.questions import ModelQuestion
from codebook.schema import Part
from learning.probe.variants import swap_posts
from ml_backend.examples import Example, Target
from ml_backend.learners.interface import Input, context_of


class NothingToSwap(ValueError):
    def __init__(self) -> None:
        super().__init__(
            "Swapped negatives put replies under other posts, and no labelled code can learn from that. Choose a code "
            "of the reply that is answered by yes, levels or sentences and an input that reads the post (--input pair "
            "or bi-encoder), or leave out --swapped-negatives."
        )


def swapped_negatives(
    examples: Sequence[Example], questions: Sequence[ModelQuestion], mode: Input, *, share: float, seed: int
) -> tuple[Example, ...]:
    """So many for each reply that has a code: the reply under a random post with other words, where these codes are
    absent. Of its other codes it says nothing. Raises NothingToSwap, and OnePostOnly where all posts are the same."""
    absent = _absent_values(questions, mode)
    if not absent:
        raise NothingToSwap
    answered = [each for each in examples if each.text.reply is not None]
    negatives = {each.item_id: _negatives(each, absent) for each in answered}
    n = round(share * sum(bool(found) for found in negatives.values()))
    rng = np.random.default_rng(seed)
    found: list[Example] = []
    while len(found) < n:
        swapped = swap_posts([each.text for each in answered], SplitPart.TRAIN, rng)
        shuffled = [
            Example(swapped[at], negatives[swapped[at].item_id]) for at in rng.permutation(len(swapped))
        ]
        found += [each for each in shuffled if each.targets]
    return tuple(found[:n])


def _absent_values(questions: Sequence[ModelQuestion], mode: Input) -> dict[str, int]:
    return {
        question.code_id: question.absent_value
        for question in questions
        if question.part is Part.REPLY
        and question.absent_value is not None
        and Part.POST in context_of(question, mode)
    }


def _negatives(example: Example, absent: Mapping[str, int]) -> dict[str, Target]:
    return {
        code: Target(absent[code], target.weight)
        for code, target in example.targets.items()
        if code in absent and target.value != absent[code]
    }
