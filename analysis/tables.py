"""Findings as tables: one long CSV for every kind, and LaTeX as papers print them."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from analysis.co_occurrence import CorrelationMatrix
from analysis.differences import DifferenceRow, DifferenceTable
from analysis.prevalence import PrevalenceTable
from analysis.prevalence_row import PrevalenceRow
from analysis.values import Finding, Way
from annotation.latex import booktabs, latex_escaped, with_digits
from corpus.delimited import safe_cell

if TYPE_CHECKING:
    from pandas import DataFrame

_COLUMNS = (
    *(
        "code",
        "name",
        "other",
        "where",
        "measure",
        "way",
        "n",
        "n_clusters",
        "n_gold",
        "n_effective_gold",
        "lambda",
        "estimate",
        "low",
        "high",
    ),
    *("test", "statistic", "df", "df_below", "effect", "effect_size", "p", "p_holm", "p_bh", "n_tests"),
    *("sentence", "note"),
)
_STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
STARS_SAY = "* p < 0.05, ** p < 0.01, *** p < 0.001, after Holm's correction"
_CORRECTED = " Labels are a model's, corrected with gold (power tuning)."
_GOLD = " From gold alone, without the model."
_NAIVE = " Labels are a model's, as they are."


def csv_findings(findings: Iterable[Finding], names: Mapping[str, str]) -> str:
    """A row for each finding; `names` has the names of codes by id. Safe to open in a spreadsheet."""
    written = StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for found in findings:
        rows.writerow([safe_cell(cell) for cell in _cells(found, names)])
    return written.getvalue()


def findings_frame(findings: Iterable[Finding], names: Mapping[str, str]) -> "DataFrame":
    """The same rows for notebooks, as a pandas DataFrame: what is not defined is missing."""
    from pandas import DataFrame  # takes long to load

    return DataFrame([_cells(found, names) for found in findings], columns=list(_COLUMNS))


def _cells(found: Finding, names: Mapping[str, str]) -> tuple[str | int | float | None, ...]:
    basis, estimate, test = found.basis, found.estimate, found.test
    about = (found.code, names.get(found.code, found.code), found.other, found.where)
    df = (*test.df, None, None)[:2]
    return (
        *(*about, found.measure.value, found.way.value, basis.n, basis.n_clusters, basis.n_gold),
        *(basis.n_effective, found.weight),
        *(estimate.value, estimate.low, estimate.high, test.name, test.statistic, *df),
        *(found.effect.name, found.effect.value, test.p, test.p_holm, test.p_bh, test.n_tests),
        *(found.sentence, found.note),
    )


def stars(p: float | None) -> str:
    """
    >>> stars(0.0004), stars(0.04), stars(0.4), stars(None)
    ('***', '*', '', '')
    """
    return next((sign for bound, sign in _STARS if p is not None and p < bound), "")


def latex_prevalence(table: PrevalenceTable, *, caption: str = "") -> str:
    r"""The mean of groups, each group's difference from it in percentage points, V and the test; for booktabs."""
    symbol = r"$\chi^2$" if table.way is Way.NAIVE else "$W$"
    groups = [latex_escaped(group) for group in table.groups]
    lines = [_line("Code", r"Mean (\%)", *groups, "Cramér's $V$", symbol), r"\midrule"]
    said = caption or (
        f"Shares of codes in {table.things} by {table.by}: the mean of the groups, differences from it in percentage"
        f" points, Cramér's V and {'Pearson' if table.way is Way.NAIVE else 'Wald'}'s test, N = {table.n:,}."
        f"{_ways(table.way)} {STARS_SAY} over all codes and groups (of the test of all groups: over the codes)."
    )
    lines += [_prevalence_line(row) for row in table.rows]
    return booktabs(lines, columns=f"l{'r' * (len(groups) + 3)}", caption=said, wide=True)


def _prevalence_line(row: PrevalenceRow) -> str:
    found = row.pearson or row.wald
    apart = [_percent(each) + stars(each.test.p_holm) for each in row.differences]
    statistic = with_digits(found.test.statistic, 2) + stars(found.test.p_holm)
    v = with_digits(found.estimate.value, 3)
    return _line(latex_escaped(row.name), _percent(row.mean), *apart, v, statistic)


def latex_differences(table: DifferenceTable, *, caption: str = "") -> str:
    """For each community the difference with its stars, and t in brackets: Welch's on naive labels, else clustered."""
    is_share = table.outcome.is_share
    lines = [
        _line("", *(rf"\multicolumn{{2}}{{c}}{{{latex_escaped(each)}}}" for each in table.communities)),
        _line("Code", *(("Diff.", "($t$)") * len(table.communities))),
        r"\midrule",
    ]
    codes = dict.fromkeys(row.code for row in table.rows)
    for code in codes:
        rows = [row for row in table.rows if row.code == code]
        cells = [cell for row in rows for cell in _difference_cells(row, is_share=is_share)]
        lines.append(_line(latex_escaped(rows[0].name), *cells))
    unit = " in percentage points" if is_share else ""
    said = caption or (
        f"Difference{unit} in “{table.outcome.value}” between {table.things} with a code and without,"
        f" N = {table.n:,}.{_ways(table.way)} {STARS_SAY} over all codes and communities."
    )
    return booktabs(lines, columns="l" + "rr" * len(table.communities), caption=said, wide=True)


def _difference_cells(row: DifferenceRow, *, is_share: bool) -> tuple[str, str]:
    found = row.welch or row.clustered
    value = _percent(found) if is_share else with_digits(found.estimate.value, 2)
    return value + stars(found.test.p_holm), f"({with_digits(found.test.statistic, 2)})"


def latex_correlations(matrix: CorrelationMatrix, names: Mapping[str, str], *, caption: str = "") -> str:
    """Codes down and across, r with its stars; a dash where it is undefined."""
    head = [latex_escaped(names.get(code, code)) for code in matrix.across]
    lines = [_line("Code", *head), r"\midrule"]
    for code in matrix.down:
        cells = [_correlation_cell(matrix, code, other) for other in matrix.across]
        lines.append(_line(latex_escaped(names.get(code, code)), *cells))
    said = (
        caption
        or f"Correlations in {matrix.where}.{_ways(matrix.way)} {STARS_SAY} over all pairs and communities."
    )
    return booktabs(lines, columns=f"l{'r' * len(head)}", caption=said, wide=True)


def _correlation_cell(matrix: CorrelationMatrix, code: str, other: str) -> str:
    if code == other:
        return "1"
    found = matrix.of(code, other)
    if found is None:
        return ""
    return with_digits(found.estimate.value, 2) + stars(found.test.p_holm)


def latex_findings(
    findings: Sequence[Finding], names: Mapping[str, str], *, caption: str, digits: int = 3
) -> str:
    """Any findings, a row each: regressions, distributions and courses over time."""
    lines = [_line("Code", "Where", r"Estimate [95\% CI]", "Effect", "Statistic", "$n$"), r"\midrule"]
    for found in findings:
        low, high = (with_digits(each, digits) for each in (found.estimate.low, found.estimate.high))
        cells = (
            latex_escaped(names.get(found.code, found.code)),
            latex_escaped(found.where),
            f"{with_digits(found.estimate.value, digits)} [{low}, {high}]",
            with_digits(found.effect.value, 2),
            with_digits(found.test.statistic, 2) + stars(found.test.p_holm),
            f"{found.basis.n:,}",
        )
        lines.append(_line(*cells))
    return booktabs(lines, columns="llrrrr", caption=f"{caption} {STARS_SAY}.", wide=True)


def _ways(way: Way) -> str:
    return {Way.NAIVE: _NAIVE, Way.CORRECTED: _CORRECTED, Way.GOLD: _GOLD}[way]


def _percent(found: Finding) -> str:
    value = found.estimate.value
    return with_digits(None if value is None else 100 * value, 2)


def _line(*cells: str) -> str:
    return " & ".join(cells) + r" \\"
