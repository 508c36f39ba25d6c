"""The corrected estimates of one table: its mean, that of each group, their difference, and the slope of an outcome.

Each in three ways: naive, from gold alone, and corrected. Where gold is too little for an interval that covers, there
is none, and the note says what is missing.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from analysis.errors import ColumnBroken
from analysis.gold_notes import NO_GOLD_HERE, effective_in_contrast
from analysis.labelled_table import LabelledTable
from analysis.labels import Labels
from analysis.normal import interval
from analysis.share_interval import difference_interval
from analysis.tuned_estimates import Part, WaysOfMean, mean_of, slope_of
from analysis.values import Estimate, Values, Way

# With less, no interval that was tried holds what is so often enough: what `benchmarks/power_tuning.py` finds.
LEAST_INDEPENDENT, LEAST_OF_SLOPE = 30.0, 3.0
NO_SLOPE = "Undefined: all gold labels are the same, so that no outcome can go with them."
NO_NAIVE = "Undefined: the model says the same of all units."
NO_HELP = "The model does not help here: this is gold alone."
ONE_GROUP = "Undefined: there is only one group."
MANY_GROUPS = "Not asked: there are more than two groups; name two with --between."


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of the answer; `weight` is λ."""

    estimate: Estimate
    weight: float | None
    n_gold: int
    effective_gold: float
    note: str

    def fields(self) -> dict[str, float | int | str | None]:
        value, low, high = self.estimate.value, self.estimate.low, self.estimate.high
        return {
            "value": value,
            "low": low,
            "high": high,
            "lambda": self.weight,
            "n_gold": self.n_gold,
            "effective_gold": round(self.effective_gold, 2),
            "note": self.note,
        }


Ways = Mapping[str, TableRow]


@dataclass(frozen=True, slots=True)
class CorrectedTable:
    """`between` names the groups of the difference, the first less the second."""

    mean: Ways
    groups: Mapping[str, Ways]
    between: tuple[str, str] | None
    difference: Ways | None
    slope: Ways | None
    remarks: tuple[str, ...]

    def as_json(self) -> str:
        answer: dict[str, object] = {"mean": _fields(self.mean)}
        answer["groups"] = {name: _fields(ways) for name, ways in self.groups.items()}
        answer["difference"] = _fields(self.difference) if self.difference else None
        if self.between:
            answer["between"] = list(self.between)
        answer["slope"] = _fields(self.slope) if self.slope else None
        answer["notes"] = list(self.remarks)
        return json.dumps(answer, ensure_ascii=False, indent=2, allow_nan=False)

    def as_text(self) -> str:
        heads = ("value", "low", "high", "λ", "gold", "effective")
        lines = [f"{'':<34}" + "".join(f"{head:>10}" for head in heads)]
        notes = dict.fromkeys(self.remarks)
        for name, ways in self._all():
            for way, found in ways.items():
                lines.append(f"{f'{name}, {_SAID[way]}':<34}{_line(found)}")
                if found.note:
                    notes[f"{name}, {_SAID[way]}: {found.note}"] = None
        return "\n".join([*lines, *([""] if notes else []), *notes])

    def _all(self) -> Iterator[tuple[str, Ways]]:
        yield "mean", self.mean
        for name, ways in self.groups.items():
            yield f"mean of {name}", ways
        if self.difference and self.between:
            yield f"{self.between[0]} less {self.between[1]}", self.difference
        if self.slope:
            yield "slope", self.slope


_SAID = {"naive": "naive", "gold_only": "gold alone", "corrected": "corrected"}


def correct_table(table: LabelledTable, between: tuple[str, str] | None = None) -> CorrectedTable:
    """`between` are two groups; of a table that has but two, the first by name less the second."""
    whole = Part(
        Labels(table.prediction, table.at, table.gold, table.weight),
        table.stands_for,
        table.clusters,
    )
    names = table.groups.names if table.groups else ()
    parts = {
        name: whole.where(table.groups.places == place) for place, name in enumerate(names) if table.groups
    }
    found = {name: mean_of(part) if len(part.labels.at) else None for name, part in parts.items()}
    remarks = [] if between or len(names) <= 2 else [MANY_GROUPS]
    if len(names) == 1:
        remarks.append(ONE_GROUP)
    for name in between or ():
        if name not in parts:
            raise ColumnBroken(f"There is no group “{name}”; the groups are {', '.join(names) or 'none'}.")
    between = between or ((names[0], names[1]) if len(names) == 2 else None)
    slope, left_out = (None, "") if table.outcome is None else _slope(whole, table.outcome)
    return CorrectedTable(
        mean=_of_mean(whole, mean_of(whole)),
        groups={name: _of_mean(part, found[name]) for name, part in parts.items()},
        between=between,
        difference=_difference(parts, found, between) if between else None,
        slope=slope,
        remarks=(*remarks, *([left_out] if left_out else [])),
    )


def _of_mean(part: Part, ways: WaysOfMean | None) -> Ways:
    if ways is None:
        return _without_gold(_naive_mean(part))
    estimates = ways.naive, ways.gold, ways.tuned
    return _three(
        estimates, ways.parts.weight, len(part.labels.at), part.worth.effective, _describe_missing(part)
    )


def _naive_mean(part: Part) -> float:
    return float(part.stands_for @ part.labels.model) / float(part.stands_for.sum())


def _without_gold(naive: float) -> Ways:
    nothing = TableRow(Estimate(None, None, None), None, 0, 0.0, NO_GOLD_HERE)
    return {
        "naive": TableRow(Estimate(naive, None, None), None, 0, 0.0, ""),
        "gold_only": nothing,
        "corrected": nothing,
    }


def _three(
    estimates: tuple[Estimate, Estimate, Estimate], weight: float, n_gold: int, effective: float, lacking: str
) -> Ways:
    """Naive, gold alone and corrected; `lacking` says why gold is not enough for an interval, empty where it is."""
    naive, gold, tuned = estimates
    if lacking:
        gold, tuned = (Estimate(each.value, None, None) for each in (gold, tuned))
    return {
        "naive": TableRow(naive, None, 0, 0.0, NO_NAIVE if naive.value is None else ""),
        "gold_only": TableRow(gold, 0.0, n_gold, effective, lacking),
        "corrected": TableRow(tuned, weight, n_gold, effective, lacking or ("" if weight else NO_HELP)),
    }


def _describe_missing(part: Part) -> str:
    worth = part.worth
    if worth.independent < LEAST_INDEPENDENT:
        return (
            f"No interval: the gold here says as much as {worth.independent:.0f} labels drawn evenly, and an interval"
            f" needs {LEAST_INDEPENDENT:.0f}. Draw more."
        )
    return ""


def _difference(
    parts: Mapping[str, Part], found: Mapping[str, WaysOfMean | None], between: tuple[str, str]
) -> Ways:
    mine, theirs = (parts[name] for name in between)
    one, other = (found[name] for name in between)
    if one is None or other is None:
        return _without_gold(_naive_mean(mine) - _naive_mean(theirs))
    of_gold = _correlation(one.gold_parts.moved, other.gold_parts.moved)
    of_tuned = _correlation(one.parts.moved, other.parts.moved)
    estimates = (
        difference_interval(one.naive, other.naive, of_tuned),
        difference_interval(one.gold, other.gold, of_gold),
        difference_interval(one.tuned, other.tuned, of_tuned),
    )
    # Each group has its own λ; said is their mean, by how much each group adds to the variance
    weights = np.array([ways.parts.weight for ways in (one, other)])
    weight = float(np.average(weights, weights=[one.variance, other.variance]))
    effective = effective_in_contrast([1.0, -1.0], [mine.worth.effective, theirs.worth.effective])
    n_gold = len(mine.labels.at) + len(theirs.labels.at)
    return _three(estimates, weight, n_gold, effective, _describe_missing(mine) or _describe_missing(theirs))


def _correlation(one: Values, other: Values) -> float:
    scale = float(np.sqrt((one @ one) * (other @ other)))
    return float(one @ other) / scale if scale > 0 else 0.0


def _slope(whole: Part, outcome: Values) -> tuple[Ways, str]:
    """Of the units that have an outcome, and what is to be said of the others."""
    known = ~np.isnan(outcome)
    left_out = int((~known).sum())
    remark = f"{left_out:,} units have no outcome: the slope leaves them out." if left_out else ""
    part = whole.where(known)
    ways = slope_of(part, outcome[known]) if len(part.labels.at) else None
    n_gold, effective = len(part.labels.at), part.worth.effective
    if ways is None:
        nothing = TableRow(Estimate(None, None, None), None, n_gold, effective, NO_SLOPE)
        return dict.fromkeys(("naive", "gold_only", "corrected"), nothing), remark
    lacking = _describe_missing(part)
    if not lacking and part.rare < LEAST_OF_SLOPE:
        lacking = (
            f"No interval: effective gold has {part.rare:.1f} labels of the rarer kind, and a slope needs"
            f" {LEAST_OF_SLOPE:.0f}. Draw more."
        )
    nothing_found = Estimate(None, None, None)
    naive, gold, tuned = (
        interval(found.value, found.error, found.df) if (found := ways.get(way)) else nothing_found
        for way in (Way.NAIVE, Way.GOLD, Way.CORRECTED)
    )
    return _three((naive, gold, tuned), ways[Way.CORRECTED].weight or 0.0, n_gold, effective, lacking), remark


def _fields(ways: Ways) -> dict[str, object]:
    return {name: way.fields() for name, way in ways.items()}


def _line(way: TableRow) -> str:
    found = way.estimate
    numbers = (found.value, found.low, found.high, way.weight)
    said = "".join(f"{'–' if each is None else f'{each:.4f}':>10}" for each in numbers)
    return f"{said}{way.n_gold:>10,}{way.effective_gold:>11,.1f}"
