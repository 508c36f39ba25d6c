"""The agreement on one table of ratings, written for people, programs, papers and spreadsheets."""

import csv
import json
from collections.abc import Iterator
from io import StringIO

from annotation.agreement.landis_koch import band_of
from annotation.agreement.prevalence import rests_on_few_items
from annotation.agreement.rating_table import RatingTable
from annotation.agreement.registry import Statistic, statistics
from annotation.agreement.values import Estimate, MeasurementLevel, RatingsAgreement
from annotation.latex import latex_escaped, latex_row, tabular, two_digits
from corpus.delimited import safe_cell

_READABLE = 40
_FIELDS = ("value", "low", "high", "n_items", "n_raters", "note")


def as_json(table: RatingTable, agreement: RatingsAgreement, level: MeasurementLevel) -> str:
    """An object with an entry for each statistic, the pairs, the prevalence, the level and what was read as a gap."""
    answer: dict[str, object] = {each.name: _fields(agreement[each.name]) for each in statistics()}
    answer["pairs"] = [
        {
            "raters": [pair.rater, pair.other],
            "cohen_kappa": _fields(pair.kappa),
            "raw_agreement": _fields(pair.raw_agreement),
        }
        for pair in agreement.pairs
    ]
    answer["prevalence"] = [
        {"label": table.label_of(each.value), "share": each.share, "n": each.n}
        for each in agreement.prevalence
    ]
    answer |= {"level": level.value, "n_ratings": agreement.n_ratings, "n_gaps": agreement.n_gaps}
    answer |= {"n_units": agreement.n_units, "notes": [*table.remarks, *_doubts(agreement)]}
    return json.dumps(answer, ensure_ascii=False, indent=2, allow_nan=False)


def as_text(table: RatingTable, agreement: RatingsAgreement, level: MeasurementLevel) -> str:
    """The measures in lines, with the band that a kappa lies in, and the notes below."""
    names = {each.name: _name(each, level) for each in statistics()}
    width = max(map(len, names.values()))
    sizes = (len(table.ratings.items), len(table.ratings.raters), agreement.n_gaps)
    lines = ["items: {:,}, raters: {:,}, gaps: {:,}".format(*sizes), ""]
    lines += [
        f"{names[each.name]:<{width}}  {_text(agreement[each.name], each.has_band)}" for each in statistics()
    ]
    pairs = (
        f"{pair.rater} – {pair.other}: {_text(pair.kappa)}, items: {pair.kappa.n_items:,}"
        for pair in agreement.pairs
    )
    answers = (
        f"{table.label_of(each.value)}: {each.share:.1%} ({each.n:,})" for each in agreement.prevalence
    )
    notes = (f"{name}: {agreement[key].note}" for key, name in names.items() if agreement[key].note)
    lines += _list_lines("Cohen's kappa by pair", list(pairs))
    lines += _list_lines("How common each answer is", list(answers))
    lines += _list_lines("Notes", [*table.remarks, *_doubts(agreement), *notes])
    return "\n".join(lines)


def _doubts(agreement: RatingsAgreement) -> list[str]:
    """Where a value is given that says little by itself."""
    by_chance = (agreement["fleiss_kappa"], agreement["krippendorff_alpha"])
    why = rests_on_few_items(agreement) if any(each.value is not None for each in by_chance) else ""
    return [why] if why else []


def _list_lines(title: str, lines: list[str]) -> list[str]:
    """Nothing where there are no lines, and not more than one can read."""
    shown = [f"  {line}" for line in lines[:_READABLE]]
    if more := len(lines) - len(shown):
        shown.append(f"  … and {more:,} more, which --format json has")
    return ["", title, *shown] if shown else []


def as_csv(agreement: RatingsAgreement) -> str:
    """A row per measure, then a row per pair of raters."""
    written = StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(("measure", "rater", "other", *_FIELDS))
    for name, rater, other, estimate in _rows(agreement):
        cells = ("" if cell is None else cell for cell in _fields(estimate).values())
        rows.writerow(map(safe_cell, (name, rater, other, *cells)))
    return written.getvalue()


def as_latex(agreement: RatingsAgreement, level: MeasurementLevel) -> str:
    r"""A booktabs table, for `\usepackage{booktabs}`."""
    lines = [r"Measure & Value & 95\% CI & $n$ \\", r"\midrule"]
    for each in statistics():
        estimate = agreement[each.name]
        interval = (
            "--" if estimate.low is None else f"[{two_digits(estimate.low)}, {two_digits(estimate.high)}]"
        )
        cells = (
            latex_escaped(_name(each, level)),
            two_digits(estimate.value),
            interval,
            f"{estimate.n_items}",
        )
        lines.append(latex_row(*cells))
    return "\n".join(tabular(lines, "lrrr"))


def _rows(agreement: RatingsAgreement) -> Iterator[tuple[str, str, str, Estimate]]:
    for name, estimate in agreement.estimates.items():
        yield name, "", "", estimate
    for pair in agreement.pairs:
        yield "cohen_kappa", pair.rater, pair.other, pair.kappa
        yield "raw_agreement", pair.rater, pair.other, pair.raw_agreement


def _fields(estimate: Estimate) -> dict[str, float | int | str | None]:
    return {field: getattr(estimate, field) for field in _FIELDS}


def _name(statistic: Statistic, level: MeasurementLevel) -> str:
    name = f"{statistic.label} ({level.value})" if statistic.depends_on_level else statistic.label
    return name[0].upper() + name[1:]


def _text(estimate: Estimate, has_band: bool = True) -> str:
    if estimate.value is None:
        return "undefined"
    interval = "" if estimate.low is None else f"  [{estimate.low:.3f}, {estimate.high:.3f}]"
    band = f"  {band_of(estimate.value).value}" if has_band else ""
    return f"{estimate.value:.3f}{interval}{band}"
