"""Another annotator only where those asked so far leave the answer open: when, whom, and what it will cost."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from annotation.assignment import falls_within, least_loaded
from annotation.consensus.pooled_dawid_skene import answer_posterior
from annotation.consensus.values import Votes
from annotation.consensus.votes import vote_counts

# Where items start with one annotator, this share has two: without it nobody could tell how far annotators agree.
PAIRED_SHARE = 0.1
# What may be believed at most where votes are tied; `sure_at` is always above it.
TIE = 0.5


@dataclass(frozen=True, slots=True)
class OverlapPolicy:
    """`sure_at` is the probability of an answer from which on nobody else is asked; `budget` counts all
    answers of the batch, the first ones too."""

    start_with: int
    at_most: int
    sure_at: float
    budget: int | None = None

    def seats(self, items: Collection[str], seed: int) -> dict[str, int]:
        """With how many annotators each item starts.

        >>> OverlapPolicy(1, 3, 0.9).seats([f"p{at}" for at in range(8)], seed=2)["p0"]
        1
        """
        if self.start_with > 1:
            return dict.fromkeys(items, self.start_with)
        return {item: 1 + falls_within(item, PAIRED_SHARE, seed, "paired") for item in items}


class Standing(StrEnum):
    """Where an item is. Nobody else is asked in the last four."""

    ASKED = "asked"
    UNSURE = "unsure"
    SURE = "sure"
    AT_MOST = "at the maximum"
    NOBODY_LEFT = "nobody left"
    NO_BUDGET = "no budget"


@dataclass(frozen=True, slots=True)
class AskedItem:
    """`seats` counts all who were asked; `pending` those who have not answered yet. `values` is what each annotator
    said, by code; somebody who skipped the item is not there. `askable` are those who may still be asked."""

    item: str
    seats: int
    pending: int
    values: Mapping[str, Mapping[str, int]]
    askable: frozenset[str]


def certainties(items: Sequence[AskedItem], possible: Mapping[str, Sequence[int]]) -> dict[str, float]:
    """By item: the probability of the answer that most annotators gave, under the code of which one is least sure.

    It is a half at most where as many gave another answer, whatever the model makes of them: of a rare code it would
    soon believe that every lone yes is a slip. 0 without an answer. `possible` has the values of each code that counts.

    >>> said = [{"amal": {"x": 0}, "bea": {"x": int(at > 8)}} for at in range(10)]
    >>> asked = [AskedItem(f"p{at}", 2, 0, values, frozenset()) for at, values in enumerate(said)]
    >>> found = certainties(asked, {"x": (0, 1)})
    >>> found["p0"] > 0.95, found["p9"] < 0.9
    (True, True)
    """
    found = {each.item: 1.0 if any(each.values.values()) else 0.0 for each in items}
    for code, values in possible.items():
        votes = _votes(items, code, values)
        if votes is None:
            continue
        for item, probability in zip(votes.items, _of_most(votes).tolist(), strict=True):
            found[item] = min(found[item], probability)
    return found


def standings(
    items: Sequence[AskedItem], certainty: Mapping[str, float], policy: OverlapPolicy
) -> dict[str, Standing]:
    """By item. Where the budget is short, the items of which one is least sure come first."""
    left = None if policy.budget is None else policy.budget - sum(each.seats for each in items)
    found: dict[str, Standing] = {}
    for each in sorted(items, key=lambda each: (certainty[each.item], each.item)):
        standing = _standing(each, certainty[each.item], policy)
        if standing is Standing.UNSURE and left is not None:
            standing, left = (Standing.UNSURE, left - 1) if left > 0 else (Standing.NO_BUDGET, left)
        found[each.item] = standing
    return found


def seats_to_add(
    items: Sequence[AskedItem], standing: Mapping[str, Standing], loads: Mapping[str, int], seed: int
) -> dict[str, list[str]]:
    """By annotator, the items that they are asked as well: each item of which one is unsure once, and whoever has the
    least to do first. `loads` counts what each still has to do.

    >>> who = [frozenset({"chen", "dana"}), frozenset({"chen"})]
    >>> unsure = [AskedItem("p1", 2, 0, {}, who[0]), AskedItem("p2", 2, 0, {}, who[1])]
    >>> seats_to_add(unsure, dict.fromkeys(["p1", "p2"], Standing.UNSURE), {"chen": 1, "dana": 0}, seed=7)
    {'dana': ['p1'], 'chen': ['p2']}
    """
    now, added = dict(loads), dict[str, list[str]]()
    for each in items:
        if standing[each.item] is not Standing.UNSURE:
            continue
        who = least_loaded(each.item, {name: now.get(name, 0) for name in each.askable}, seed)[0]
        added.setdefault(who, []).append(each.item)
        now[who] = now.get(who, 0) + 1
    return added


def _standing(each: AskedItem, certainty: float, policy: OverlapPolicy) -> Standing:
    if each.pending:
        return Standing.ASKED
    if certainty >= policy.sure_at:
        return Standing.SURE
    if each.seats >= policy.at_most:
        return Standing.AT_MOST
    return Standing.UNSURE if each.askable else Standing.NOBODY_LEFT


def _of_most(votes: Votes) -> NDArray[np.float64]:
    posterior, counts = answer_posterior(votes), vote_counts(votes)
    in_front = counts == counts.max(axis=1, keepdims=True)
    most = np.where(in_front, posterior, 0).max(axis=1)
    tied = in_front.sum(axis=1) > 1
    sure: NDArray[np.float64] = np.where(tied, np.minimum(most, TIE), most)
    return sure


def _votes(items: Sequence[AskedItem], code: str, possible: Sequence[int]) -> Votes | None:
    """With every possible value as a label, whether or not somebody gave it yet."""
    place = {value: at for at, value in enumerate(possible)}
    cast = [
        (each.item, who, place[said[code]])
        for each in items
        for who, said in each.values.items()
        if code in said
    ]
    if not cast:
        return None
    on, by, said_at = zip(*cast, strict=True)
    named, annotators = tuple(dict.fromkeys(on)), tuple(sorted(set(by)))
    return Votes(
        items=named,
        annotators=annotators,
        labels=tuple(map(str, possible)),
        on=_places(on, named),
        by=_places(by, annotators),
        said=np.asarray(said_at, dtype=np.int64),
    )


def _places(names: Sequence[str], distinct: Sequence[str]) -> NDArray[np.int64]:
    at = {name: place for place, name in enumerate(distinct)}
    return np.fromiter((at[name] for name in names), dtype=np.int64, count=len(names))
