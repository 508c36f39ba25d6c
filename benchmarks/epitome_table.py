"""The table of what was tried on EPITOME: mean and standard deviation over splits, for each way of showing empathy."""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from annotation.release.rows import SplitPart
from benchmarks.epitome_evidence import Told
from benchmarks.epitome_published import ByPart
from benchmarks.epitome_tried import Tried
from learning.adapters.card import Card
from learning.scoring.values import Metric

TOLD: Final = "token_f1_told"
BATCHED: Final = "macro_f1_batches_of_32"
_OfLevel = Literal["f1_level_0", "f1_level_1", "f1_level_2"]
Measure = Metric | Literal["token_f1_told", "macro_f1_batches_of_32"] | _OfLevel
MEASURES: dict[Measure, str] = {
    Metric.MACRO_F1: "macro-F1, pooled over the part",
    BATCHED: "macro-F1 as published: mean over batches of 32, levels that a batch lacks left out",
    "f1_level_0": "F1 of level 0 (absent)",
    "f1_level_1": "F1 of level 1 (weak)",
    "f1_level_2": "F1 of level 2 (strong)",
    TOLD: "token F1 of evidence where the model is told that the code is there",
    Metric.TOKEN_F1_POSITIVES: "token F1 of evidence where the model has to find the code too",
    Metric.EVERY_TOKEN_F1_POSITIVES: "token F1 of marking every word",
    Metric.TOKEN_F1_ALL_ROWS: "token F1 over all rows, 1 where neither marks a word, as published for micromodels",
    Metric.IOU_F1_ALL_ROWS: "IOU-F1 over all rows, 1 where neither marks a word, as published for micromodels",
    Metric.TOKEN_F1_ALL_ONES: "token F1 with gold without words marked from end to end, as EPITOME's code does",
    Metric.IOU_F1_ALL_ONES: "IOU-F1 with gold without words marked from end to end, as EPITOME's code does",
}


@dataclass(frozen=True, slots=True)
class Trained:
    tried: Tried
    seed: int
    card: Card
    told: Told = field(default_factory=dict)
    published: ByPart = field(default_factory=dict)

    def score(self, part: SplitPart, code: str, metric: Measure) -> float | None:
        if metric == TOLD:
            return self.told.get(part.value, {}).get(code)
        if not isinstance(metric, Metric):
            found = self.published.get(part.value, {}).get(code)
            if found is None:
                return None
            return found.batched if metric == BATCHED else found.by_level[int(metric[-1])]
        scores = self.card.measures[part.value].code(code)
        score = scores.scores.get(metric) if scores else None
        return score.value if score else None


def write_tables(found: Sequence[Trained], *, with_test: bool) -> dict[str, str]:
    """File names with their content: every score of every split as CSV, and the means as Markdown."""
    parts = [SplitPart.VALIDATION, *([SplitPart.TEST] if with_test else [])]
    return {
        "scores.csv": _csv(found, parts),
        "table.md": "\n\n".join(_markdown(found, part, metric) for part in parts for metric in MEASURES)
        + "\n",
    }


def _csv(found: Sequence[Trained], parts: Sequence[SplitPart]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["configuration", "seed", "adapter", "part", "code", "measure", "value"])
    for each in found:
        for part in parts:
            for code in each.card.codes:
                for metric in MEASURES:
                    value = each.score(part, code, metric)
                    row = [each.tried.name, each.seed, each.card.id, part.value, code, str(metric)]
                    writer.writerow([*row, "" if value is None else f"{value:.6f}"])
    return out.getvalue()


def _markdown(found: Sequence[Trained], part: SplitPart, metric: Measure) -> str:
    codes = found[0].card.codes
    lines = [
        f"{MEASURES[metric]}, {part.value} part",
        "",
        f"| configuration | splits | {' | '.join(codes)} | mean |",
        "|---" * (len(codes) + 3) + "|",
    ]
    for tried, runs in _by_configuration(found):
        columns = [[each.score(part, code, metric) for each in runs] for code in codes]
        means = [_mean(values) for values in zip(*columns, strict=True)]
        cells = " | ".join(_cell(column) for column in [*columns, means])
        lines.append(f"| {tried.name} | {len(runs)} | {cells} |")
    return "\n".join(lines)


def _by_configuration(found: Sequence[Trained]) -> Iterator[tuple[Tried, list[Trained]]]:
    for tried in dict.fromkeys(each.tried.name for each in found):
        runs = [each for each in found if each.tried.name == tried]
        yield runs[0].tried, runs


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.mean(known) if known else None


def _cell(values: Sequence[float | None]) -> str:
    """
    >>> _cell([0.5, 0.6])
    '55.0 ± 7.1'
    """
    known = [100 * value for value in values if value is not None]
    if not known:
        return "–"
    spread = f" ± {statistics.stdev(known):.1f}" if len(known) > 1 else ""
    return f"{statistics.mean(known):.1f}{spread}"
