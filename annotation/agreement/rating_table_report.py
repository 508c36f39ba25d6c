"""The agreement on one table of ratings, written for people, programs, papers and spreadsheets."""

import csv
import json
from collections.abc import Iterator
from io import StringIO

from annotation.agreement.bands import MEASURE_NAMES, band_of
from annotation.agreement.prevalence import interval_may_not_cover
from annotation.agreement.rating_table import RatingTable
from annotation.agreement.values import Estimate, Measure, MeasurementLevel, RatingsAgreement
from annotation.latex import latex_escaped, two_digits
from annotation.safe_cells import safe_cell

_READABLE = 40
_FIELDS = ("value", "low", "high", "n_items", "n_raters", "note")


def as_json(table: RatingTable, agreement: RatingsAgreement, level: MeasurementLevel) -> str:
    """An object with an entry for each measure, and the pairs, the prevalence, the level and what was read as a gap."""
    answer: dict[str, object] = {measure.value: _fields(agreement.of(measure)) for measure in Measure}
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
    names = {measure: _name(measure, level) for measure in Measure}
    width = max(map(len, names.values()))
    sizes = (len(table.ratings.items), len(table.ratings.raters), agreement.n_gaps)
    lines = ["items: {:,}, raters: {:,}, gaps: {:,}".format(*sizes), ""]
    lines += [f"{names[measure]:<{width}}  {_text(measure, agreement.of(measure))}" for measure in Measure]
    pairs = (
        f"{pair.rater} – {pair.other}: {_text(Measure.COHEN_KAPPA_MEAN, pair.kappa)}, items: {pair.kappa.n_items:,}"
        for pair in agreement.pairs
    )
    answers = (
        f"{table.label_of(each.value)}: {each.share:.1%} ({each.n:,})" for each in agreement.prevalence
    )
    notes = (
        f"{names[measure]}: {agreement.of(measure).note}" for measure in Measure if agreement.of(measure).note
    )
    lines += _listed("Cohen's kappa by pair", list(pairs))
    lines += _listed("How common each answer is", list(answers))
    lines += _listed("Notes", [*table.remarks, *_doubts(agreement), *notes])
    return "\n".join(lines)


def _doubts(agreement: RatingsAgreement) -> list[str]:
    """Where an interval is given that says too much."""
    by_chance = (agreement.fleiss_kappa, agreement.krippendorff_alpha)
    has_interval = agreement.prevalence and any(each.low is not None for each in by_chance)
    why = interval_may_not_cover(agreement) if has_interval else ""
    return [why] if why else []


def _listed(title: str, lines: list[str]) -> list[str]:
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
    lines = [r"\begin{tabular}{lrrr}", r"\toprule", r"Measure & Value & 95\% CI & $n$ \\", r"\midrule"]
    for measure in Measure:
        estimate = agreement.of(measure)
        interval = (
            "--" if estimate.low is None else f"[{two_digits(estimate.low)}, {two_digits(estimate.high)}]"
        )
        cells = (
            latex_escaped(_name(measure, level)),
            two_digits(estimate.value),
            interval,
            f"{estimate.n_items}",
        )
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _rows(agreement: RatingsAgreement) -> Iterator[tuple[str, str, str, Estimate]]:
    for measure in Measure:
        yield measure.value, "", "", agreement.of(measure)
    for pair in agreement.pairs:
        yield "cohen_kappa", pair.rater, pair.other, pair.kappa
        yield "raw_agreement", pair.rater, pair.other, pair.raw_agreement


def _fields(estimate: Estimate) -> dict[str, float | int | str | None]:
    return {field: getattr(estimate, field) for field in _FIELDS}


def _name(measure: Measure, level: MeasurementLevel) -> str:
    name = MEASURE_NAMES[measure]
    named = f"{name} ({level.value})" if measure is Measure.KRIPPENDORFF_ALPHA else name
    return named[0].upper() + named[1:]


def _text(measure: Measure, estimate: Estimate) -> str:
    if estimate.value is None:
        return "undefined"
    interval = "" if estimate.low is None else f"  [{estimate.low:.3f}, {estimate.high:.3f}]"
    band = "" if measure is Measure.RAW_AGREEMENT else f"  {band_of(estimate.value).value}"
    return f"{estimate.value:.3f}{interval}{band}"
