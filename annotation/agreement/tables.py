"""A batch's agreement as tables for papers and spreadsheets: one row per code, means below."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from io import StringIO
from typing import NamedTuple

from annotation.agreement.registry import short_table_statistics, statistic_names
from annotation.agreement.reports import BatchAgreement, CodeAgreement, MarkEstimates, MeanAgreement
from annotation.agreement.values import Estimate, PairEstimate, RatingsAgreement
from annotation.latex import booktabs, latex_escaped, latex_row, two_digits, with_interval
from codebook.schema import Part
from corpus.delimited import safe_cell

_COLUMNS = ("value", "low", "high", "n_items", "n_raters", "note")
_PARTS = {Part.POST: "Post", Part.REPLY: "Reply", None: "All codes"}


def csv_table(agreement: BatchAgreement, names: Mapping[str, str]) -> str:
    """Long form, one row per code and measure, of pairs of raters too; `names` has the names of codes by id.

    `rater` and `other` are empty where a number is about all of them; flags are one rater's and about all codes.
    Cells that a spreadsheet would run as a formula get an apostrophe in front.
    """
    written = StringIO()
    rows = csv.writer(written, lineterminator="\n")
    people = ("rater", "other")
    rows.writerow(
        ("part", "code", "name", "measure", *people, *_COLUMNS, "found_share", "prevalence_warning")
    )
    for code in agreement.codes:
        name = names.get(code.code_id, code.code_id)
        share = "" if code.found_share is None else code.found_share
        for row in _estimates(code):
            named = (code.part.value, code.code_id, name, row.measure, row.rater, row.other)
            rows.writerow(map(safe_cell, (*named, *_cells(row.estimate), share, code.prevalence_warning)))
    for part, label, row in _over_codes(agreement):
        named = (part, "", label, row.measure, row.rater, row.other)
        rows.writerow(map(safe_cell, (*named, *_cells(row.estimate), "", "")))
    return written.getvalue()


class _Row(NamedTuple):
    measure: str
    estimate: Estimate
    rater: str = ""
    other: str = ""


def _over_codes(agreement: BatchAgreement) -> Iterator[tuple[str, str, _Row]]:
    """Part, label and number of the means, then of the pairs' means and of flags."""
    for mean in agreement.means:
        part, label = mean.part.value if mean.part else "all", f"mean over {mean.n_codes} codes"
        for name in statistic_names():
            yield part, label, _Row(name, mean[name])
    for row in _of_pairs(agreement.pairs):
        yield "all", f"mean over {len(agreement.codes)} codes", row
    for flag in agreement.flags:
        for field in ("flagged", "unflagged", "difference"):
            yield "all", "disagreement by flag", _Row(f"flags_{field}", getattr(flag, field), flag.rater)


def _of_pairs(pairs: Iterable[PairEstimate], before: str = "") -> Iterator[_Row]:
    for pair in pairs:
        yield _Row(f"{before}cohen_kappa", pair.kappa, pair.rater, pair.other)
        yield _Row(f"{before}raw_agreement", pair.raw_agreement, pair.rater, pair.other)


def _cells(estimate: Estimate) -> list[str | int | float]:
    found = [getattr(estimate, column) for column in _COLUMNS]
    return ["" if cell is None else cell for cell in found]


def _estimates(code: CodeAgreement) -> Iterator[_Row]:
    """Everything that is estimated on a code, over all raters and by pair."""
    for name in statistic_names():
        yield _Row(name, code.ratings[name])
    yield from _of_pairs(code.ratings.pairs)
    if code.marks:
        by_pair = [(pair.estimates, pair.rater, pair.other) for pair in code.marks.pairs]
        for estimates, rater, other in [(code.marks.mean, "", ""), *by_pair]:
            for field in fields(MarkEstimates):
                yield _Row(f"{code.marks.unit}_{field.name}", getattr(estimates, field.name), rater, other)
    if code.sentences:
        for name in statistic_names():
            yield _Row(f"per_sentence_{name}", code.sentences[name])
        yield from _of_pairs(code.sentences.pairs, "per_sentence_")


def latex_table(agreement: BatchAgreement, names: Mapping[str, str], *, caption: str = "") -> str:
    r"""A booktabs table by part and code, for `\usepackage{booktabs}`; a dash stands for what is undefined."""
    first, *others = short_table_statistics()
    width = len(others) + 4
    heads = ["Code", rf"{first.tex} [95\% CI]", *(each.tex for each in others), "Found", r"$n$"]
    lines = [latex_row(*heads)]
    for mean in agreement.means:
        codes = [code for code in agreement.codes if code.part is mean.part]
        lines.append(r"\midrule")
        if codes:
            lines.append(rf"\multicolumn{{{width}}}{{l}}{{\emph{{{_PARTS[mean.part]}}}}} \\")
        lines += [_code_row(code, names) for code in codes]
        lines.append(_mean_row(mean))
    return booktabs(lines, columns="l" + "r" * (width - 1), caption=caption or _caption(agreement))


def _caption(agreement: BatchAgreement) -> str:
    first, *others = (each.label for each in short_table_statistics())
    resampled = f"{agreement.resamples:,} resamples"
    return (
        f"Agreement of {len(agreement.raters)} annotators on {agreement.n_items:,} items: {first} with its"
        f" Bayesian bootstrap interval ({resampled}), {', '.join(others)}, share of ratings that"
        " find the code, and items with at least two ratings."
    )


def _code_row(code: CodeAgreement, names: Mapping[str, str]) -> str:
    name = latex_escaped(names.get(code.code_id, code.code_id))
    found = "--" if code.found_share is None else rf"{100 * code.found_share:.1f}\%"
    return _row(name, code.ratings, found)


def _mean_row(mean: MeanAgreement) -> str:
    return _row(r"\emph{Mean}" if mean.part else r"\emph{Mean over all codes}", mean, "")


def _row(name: str, measured: RatingsAgreement | MeanAgreement, found: str) -> str:
    first, *others = (measured[each.name] for each in short_table_statistics())
    values = [two_digits(each.value) for each in others]
    interval = with_interval(first.value, first.low, first.high)
    return latex_row(name, interval, *values, found, f"{first.n_items}")
