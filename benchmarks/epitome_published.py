"""Macro-F1 as the authors of EPITOME compute it, beside the pooled one, and F1 by level.

Their code goes over the test part in batches of 32 in its order, takes scikit-learn's macro-F1 of each, in which a
level that neither gold nor the model has in the batch is left out, and averages over the batches. A rare level then
counts only in the batches where it occurs, so that the number is another one than the pooled one of the same answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from annotation.release.read import read_release
from annotation.release.rows import SplitPart
from corpus.atomic_files import replace_file
from learning.scoring.macro_f1 import macro_f1
from ml_backend.adapters.folder import load_adapter
from ml_backend.examples import examples_of

BATCH = 32
LEVELS = (0, 1, 2)


class Published(msgspec.Struct, frozen=True):
    """Of one code on one part: averaged over batches, pooled over all items, and F1 by level."""

    batched: float
    pooled: float
    by_level: tuple[float, ...]


# By part of the split and code.
ByPart = dict[str, dict[str, Published]]


def level_f1(gold: Sequence[int], said: Sequence[int], level: int) -> float | None:
    """None where nobody has the level.

    >>> level_f1([0, 1, 1], [0, 1, 0], 1), level_f1([0], [0], 2)
    (0.6666666666666666, None)
    """
    both = sum(one == level == other for one, other in zip(gold, said, strict=True))
    total = sum(one == level for one in gold) + sum(other == level for other in said)
    return 2 * both / total if total else None


def batched_macro_f1(gold: Sequence[int], said: Sequence[int], size: int = BATCH) -> float:
    """The first batch has the levels 0 and 1, the second 0 alone: (1/2 + 1) / 2.

    >>> batched_macro_f1([0, 1, 0, 0], [0, 0, 0, 0], size=2)
    0.6666666666666666
    """
    found = []
    for at in range(0, len(gold), size):
        pairs = gold[at : at + size], said[at : at + size]
        scores = [score for level in LEVELS if (score := level_f1(*pairs, level)) is not None]
        found.append(float(np.mean(scores)))
    return float(np.mean(found))


def published_of(adapter: Path, release: Path, kept: Path) -> ByPart:
    """Measured once and kept, since all items are read again for it."""
    if kept.exists():
        return msgspec.json.decode(kept.read_bytes(), type=ByPart)
    loaded = load_adapter(adapter)
    learner, found = loaded.learner, ByPart()
    for part in (SplitPart.VALIDATION, SplitPart.TEST):
        examples = examples_of(read_release(release), part)
        predicted = learner.predict(examples, adapter_id=loaded.card.id, report=lambda line: None)
        said = {each.item_id: each for each in predicted}
        found[part.value] = {}
        for question in learner.questions:
            pairs = [
                (example.targets[question.code_id].value, answer.value)
                for example in examples
                if question.code_id in example.targets
                and example.text.item_id in said
                and (answer := said[example.text.item_id].of(question.code_id))
            ]
            found[part.value][question.code_id] = _measure(pairs)
    kept.parent.mkdir(parents=True, exist_ok=True)
    replace_file(kept, msgspec.json.encode(found))
    return found


def _measure(pairs: Sequence[tuple[int, int]]) -> Published:
    gold, said = [one for one, _ in pairs], [other for _, other in pairs]
    confusion = np.zeros((1, len(LEVELS), len(LEVELS)))
    for one, other in pairs:
        confusion[0, one, other] += 1
    return Published(
        batched=batched_macro_f1(gold, said),
        pooled=float(macro_f1(confusion)[0]),
        by_level=tuple(level_f1(gold, said, level) or 0.0 for level in LEVELS),
    )
