"""What each pair of tasks has that may say whether one helps the other (Lahnala et al. 2024, section 5.1).

Of sizes it counts whether they fall, stay or rise from source to target; of ratings of the construct, the difference.
Two similarities come from the models: the cosine of the mean embeddings of texts (Poth et al. 2021), and, for task
embeddings, reciprocal rank fusion over the components of Fisher information (Vu et al. 2020; Cormack et al. 2009).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.tokens import tokens
from learning.transfer.cells import Description
from learning.transfer.splitting import Task
from learning.transfer.study import TaskSource

# Cormack's constant: it keeps the first rank of one component from deciding alone.
RRF = 60
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PairFeatures:
    """`numbers` by name, and `categories`, which have no order."""

    source: str
    target: str
    numbers: dict[str, float]
    categories: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Profile:
    source: TaskSource
    kind: str
    n_samples: int
    n_tokens: int
    words: frozenset[str]
    n_labels: int


def pair_features(
    tasks: Sequence[Task],
    sources: Sequence[TaskSource],
    ratings: Mapping[str, Mapping[str, float]],
    descriptions: Mapping[str, Description],
) -> tuple[PairFeatures, ...]:
    """Of each ordered pair, by target and then by source, in the order of the tasks."""
    profiles = {task.name: _profile(task, source) for task, source in zip(tasks, sources, strict=True)}
    fisher = task_similarities({name: each.fisher for name, each in descriptions.items()})
    return tuple(
        _pair(source, target, profiles, ratings, descriptions, fisher)
        for target in profiles
        for source in profiles
        if source != target
    )


def _profile(task: Task, source: TaskSource) -> _Profile:
    words = [item.text[start:end].casefold() for item in task.train for start, end in tokens(item.text)]
    return _Profile(
        source, task.kind.value, len(task.train), len(words), frozenset(words), len(task.classes) or 1
    )


def _pair(
    source: str,
    target: str,
    profiles: Mapping[str, _Profile],
    ratings: Mapping[str, Mapping[str, float]],
    descriptions: Mapping[str, Description],
    fisher: Mapping[tuple[str, str], float],
) -> PairFeatures:
    one, other = profiles[source], profiles[target]
    numbers = {
        "sample size": _direction(one.n_samples, other.n_samples),
        "token count": _direction(one.n_tokens, other.n_tokens),
        "vocabulary size": _direction(len(one.words), len(other.words)),
        "number of labels": _direction(one.n_labels, other.n_labels),
        "vocabulary overlap": len(one.words & other.words) / max(1, len(one.words | other.words)),
        "data embedding similarity": _cosine(descriptions[source].embedding, descriptions[target].embedding),
        "task embedding similarity": fisher[source, target],
    }
    if source in ratings and target in ratings:
        numbers |= {
            f"construct: {aspect}": ratings[target][aspect] - value
            for aspect, value in ratings[source].items()
            if aspect in ratings[target]
        }
    categories = {
        "task type": f"{one.kind} → {other.kind}",
        "data source": f"{one.source.origin} → {other.source.origin}",
        "language setting": f"{one.source.setting} → {other.source.setting}",
    }
    return PairFeatures(source, target, numbers, categories)


def _direction(before: int, after: int) -> float:
    """
    >>> _direction(10, 20), _direction(5, 5), _direction(3, 2)
    (1.0, 0.0, -1.0)
    """
    return float((after > before) - (after < before))


def _cosine(first: Sequence[float], second: Sequence[float]) -> float:
    x, y = np.array(first), np.array(second)
    size = float(np.linalg.norm(x) * np.linalg.norm(y))
    return float(x @ y) / size if size else 0.0


def task_similarities(
    fisher: Mapping[str, Mapping[str, Sequence[float]]],
) -> dict[tuple[str, str], float]:
    """For each ordered pair Σ over components of 1 / (60 + the source's rank among all sources for that target).

    >>> components = {"a": {"x": [1.0, 0.0]}, "b": {"x": [0.9, 0.1]}, "c": {"x": [0.0, 1.0]}}
    >>> found = task_similarities(components)
    >>> found["b", "a"] > found["c", "a"], round(found["b", "a"], 5)
    (True, 0.01639)
    """
    names = list(fisher)
    found = {(source, target): 0.0 for source in names for target in names if source != target}
    for target in names:
        for component, values in fisher[target].items():
            near = {
                source: _cosine(fisher[source][component], values) for source in names if source != target
            }
            for rank, source in enumerate(sorted(near, key=lambda name: -near[name]), start=1):
                found[source, target] += 1 / (RRF + rank)
    return found
