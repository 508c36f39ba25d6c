"""Shares under a new edition of the codebook, when only a random sample was judged again under it.

The labels under the old edition stand in for all items, as a model's would: corrected by the sample, the shares are
right on average whatever the old labels are, and better old labels make them surer (`analysis/power_tuning.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
import polars as pl

from analysis.clusters import clusters_of
from analysis.corrected_table import TableRow, Ways, correct_table
from analysis.errors import NotAnalysable
from analysis.labelled_table import LabelledTable
from analysis.values import Values
from annotation.release.rows import FinalLabel, ReleaseRow
from codebook.recoding import Origin, origins
from codebook.schema import AnswerKind, Code, Codebook, Question

HALF_WIDTH = 0.05


class SameEdition(NotAnalysable):
    def __init__(self) -> None:
        super().__init__(
            "Both releases have the same edition of the codebook: give the one under the old edition first, and then "
            "the one with what was judged again under the new edition."
        )


class NothingJudgedAgain(NotAnalysable):
    def __init__(self) -> None:
        super().__init__(
            "No item of the first release has a label in the second one that was made under the new definitions. "
            "Draw some of its items at random, have them judged under the new edition, and freeze a release of it."
        )


class NoProbability(NotAnalysable):
    def __init__(self, item: str) -> None:
        super().__init__(
            f"The item {item} was judged again, and the file does not say how probable it was that it is drawn: give "
            "an inclusion_probability above 0 and up to 1 for each, or no file if all were equally probable."
        )


@dataclass(frozen=True, slots=True)
class BridgedCode:
    """`formerly` names the codes of the old edition that it comes from; `needed` is how many items would have to be
    judged again in all for an interval that reaches `half_width` to either side, None where that cannot be told."""

    code: Code
    formerly: tuple[str, ...]
    is_split: bool
    ways: Ways
    needed: int | None


@dataclass(frozen=True, slots=True)
class EditionBridge:
    n_items: int
    half_width: float
    codes: tuple[BridgedCode, ...]

    def as_json(self) -> str:
        codes = [
            {
                "code": each.code.id,
                "name": each.code.name,
                "formerly": list(each.formerly),
                "is_split": each.is_split,
                "old_labels": each.ways["naive"].fields(),
                "gold_only": each.ways["gold_only"].fields(),
                "corrected": each.ways["corrected"].fields(),
                "needed": each.needed,
            }
            for each in self.codes
        ]
        answer = {"n_items": self.n_items, "half_width": self.half_width, "codes": codes}
        return json.dumps(answer, ensure_ascii=False, indent=2, allow_nan=False)

    def as_text(self) -> str:
        lines = [f"{self.n_items:,} items under the old edition; shares under the new one:", ""]
        for each in self.codes:
            was = f" (from {' + '.join(each.formerly)})" if each.formerly else " (new)"
            lines.append(f"{each.code.name}{was}{', which was split' if each.is_split else ''}")
            lines += [
                f"  {said:<22}{_percent(each.ways[way])}"
                for way, said in (
                    ("naive", "by the old labels"),
                    ("gold_only", "sample alone"),
                    ("corrected", "corrected"),
                )
            ]
            if each.needed is not None:
                lines.append(
                    f"  for ±{100 * self.half_width:g} points, {each.needed:,} items judged again in all"
                )
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class LabelledItems:
    """What a release holds."""

    codebook: Codebook
    rows: Sequence[ReleaseRow]


def bridge_editions(
    old: LabelledItems,
    new: LabelledItems,
    *,
    probabilities: Mapping[str, float] | None = None,
    half_width: float = HALF_WIDTH,
) -> EditionBridge:
    """For each code of the new edition with a share. Without `probabilities`, by item id, all old items were equally
    likely to be judged again."""
    if old.codebook == new.codebook:
        raise SameEdition
    again = {row.item.item_id: {label.code: label for label in row.labels} for row in new.rows}
    came_from = origins(old.codebook, new.codebook)
    found = [
        _bridge_code(old.rows, again, question, code, came_from.get(code.id), probabilities, half_width)
        for question, code in new.codebook.coded_questions()
        if question.answer is not AnswerKind.SCALE
    ]
    codes = tuple(each for each in found if each is not None)
    if not codes:
        raise NothingJudgedAgain
    return EditionBridge(len(old.rows), half_width, codes)


def _bridge_code(
    rows: Sequence[ReleaseRow],
    again: Mapping[str, Mapping[str, FinalLabel]],
    question: Question,
    code: Code,
    origin: Origin | None,
    probabilities: Mapping[str, float] | None,
    half_width: float,
) -> BridgedCode | None:
    """None where no item was judged again."""
    present = question.present_values
    judged = [(at, again.get(row.item.item_id, {}).get(code.id)) for at, row in enumerate(rows)]
    gold = [
        (at, float(label.value in present))
        for at, label in judged
        if label is not None and label.value is not None and not label.is_superseded
    ]
    if not gold:
        return None
    places = np.array([at for at, _ in gold])
    table = LabelledTable(
        prediction=_by_old_labels(rows, origin, present),
        at=places,
        gold=np.array([value for _, value in gold]),
        weight=_weights([rows[at].item.item_id for at in places], len(rows), probabilities),
        stands_for=np.ones(len(rows)),
        clusters=clusters_of(pl.Series([row.item.post_id for row in rows])),
        groups=None,
        outcome=None,
    )
    ways = correct_table(table).mean
    is_split = bool(origin and origin.split)
    return BridgedCode(
        code, origin.codes if origin else (), is_split, ways, _gold_needed(ways["corrected"], half_width)
    )


def _by_old_labels(rows: Sequence[ReleaseRow], origin: Origin | None, present: frozenset[int]) -> Values:
    """1 where one of the codes was there; items without such a label are as likely as the others to have it."""
    sources = frozenset(origin.codes) if origin else frozenset()
    said = np.full(len(rows), np.nan)
    for at, row in enumerate(rows):
        values = [label.value for label in row.labels if label.code in sources and label.value is not None]
        if values:
            said[at] = float(any(value in present for value in values))
    known = ~np.isnan(said)
    return np.where(known, said, said[known].mean() if known.any() else 0.0)


def _weights(drawn: Sequence[str], n: int, probabilities: Mapping[str, float] | None) -> Values:
    if probabilities is None:
        return np.full(len(drawn), n / len(drawn))
    for item in drawn:
        if not 0 < probabilities.get(item, 0) <= 1:
            raise NoProbability(item)
    return np.array([1 / probabilities[item] for item in drawn])


def _gold_needed(corrected: TableRow, half_width: float) -> int | None:
    """An interval is half as wide with four times as much gold."""
    low, high = corrected.estimate.low, corrected.estimate.high
    if low is None or high is None:
        return None
    return ceil(corrected.n_gold * ((high - low) / 2 / half_width) ** 2)


def _percent(way: TableRow) -> str:
    estimate = way.estimate
    value = "–" if estimate.value is None else f"{100 * estimate.value:.1f}%"
    if estimate.low is None or estimate.high is None:
        return f"{value}  {way.note}".rstrip()
    return f"{value} [{100 * estimate.low:.1f}%, {100 * estimate.high:.1f}%]"
