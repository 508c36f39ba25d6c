"""How long posts and replies are, in words: by community, with each code and without.

Quartiles say how lengths are distributed, of the model's labels as they are. A few very long texts pull means up, so
that both stand side by side. What is tested is the difference of means between items with a code and without
(`analysis.differences`): with clustered errors, and corrected with gold where there is any.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from analysis.clustered_errors import clustered_error
from analysis.gold_notes import NO_INTERVAL
from analysis.labelled import LabelledCorpus
from analysis.normal import cut, interval
from analysis.outcomes import Outcome
from analysis.report.by_community import (
    compute_differences,
    difference_chart,
    difference_table,
    tell_differences,
)
from analysis.report.cells import interval_cell, notes_of, plain_cell
from analysis.report.charts import ChartData
from analysis.report.content import Cell, Column, ReportTable, Row, Section
from analysis.report.material import Material
from analysis.report.missing import Missing
from analysis.report.registry import Methods, SectionKind
from analysis.report.wording import errors
from analysis.values import NO_TEST, Basis, Effect, Estimate, Finding, Measure, Values, Way

_QUARTILES = (
    (Measure.LOWER_QUARTILE, 0.25, "lower quartile"),
    (Measure.MEDIAN, 0.5, "median"),
    (Measure.UPPER_QUARTILE, 0.75, "upper quartile"),
)
_COLUMNS = ("n", "Lower quartile", "Median", "Upper quartile", "Mean", "95% interval")


def text_length(material: Material, kind: SectionKind) -> Section:
    missing = Missing()
    sentences: list[str] = []
    tables: list[ReportTable] = []
    charts: list[ChartData] = []
    headlines: list[str] = []
    for part in material.parts:
        if not missing.has(part.corpus, "words", kind.title):
            continue
        counted = part.found.get(Way.NAIVE) or replace(part.corpus, codes={})
        lengths = tuple(_lengths(material, missing.known(counted, "words")))
        sentences.append(_in_words(part.things, lengths[0]))
        tables.append(_table(material, part.things, lengths))
        slug = f"words-{part.things}"
        title = f"How many words {part.things} have with each code"
        apart = compute_differences(part, Outcome.WORDS, title, missing)
        told = tell_differences(material, apart)
        sentences += told.sentences
        headlines.append(told.headline)
        tables += [difference_table(material, slug, table) for table in apart.values()]
        if apart:
            chart = difference_chart(material, part, apart, slug=slug, title=title, axis="More words")
            charts.append(chart)
    return Section(
        name=kind.id,
        title=kind.title,
        about=(
            "How many words posts and replies have, by community, and with each code and without. Longer texts have"
            " room for more, so that a code may be found in them for that alone."
        ),
        sentences=tuple(sentences),
        headline=next((headline for headline in headlines if headline), ""),
        tables=tuple(tables),
        charts=tuple(charts),
        missing=missing.sentences,
    )


@dataclass(frozen=True, slots=True)
class _Lengths:
    """Of some items: a row of the table, under a heading."""

    label: str
    heading: str
    quartiles: tuple[Finding, ...]
    mean: Finding

    @property
    def findings(self) -> tuple[Finding, ...]:
        return (*self.quartiles, self.mean)


def _lengths(material: Material, corpus: LabelledCorpus) -> Iterator[_Lengths]:
    """Of all first, then by community, and with each code and without as far as there are any."""
    things = corpus.things
    heading = f"{things.capitalize()}: by community"
    yield _lengths_of(corpus, f"All {things}", heading, f"All {things}")
    inside = dict(corpus.by("community"))
    for name in material.ordered(inside):
        yield _lengths_of(inside[name], name, heading, f"In {name}, {things}", where=name)
    for code in corpus.codes:
        found = corpus.model(code)
        for word, kept in (("with", found == 1), ("without", found == 0)):
            if kept.any():
                yield _lengths_of(
                    corpus.where(kept),
                    f"{material.name(code)}: {word}",
                    material.heading(code, things),
                    f"{things.capitalize()} {word} “{material.name(code)}”",
                    code=code,
                )


def _lengths_of(
    corpus: LabelledCorpus, label: str, heading: str, who: str, *, code: str = "", where: str = ""
) -> _Lengths:
    words: Values = corpus.items["words"].cast(pl.Float64()).to_numpy()
    basis = Basis(len(corpus), corpus.clusters.n)

    def make_finding(measure: Measure, estimate: Estimate, name: str, note: str = "") -> Finding:
        says = f"{who} have {estimate.value:.1f} words ({name})"
        effect = Effect(measure.value, estimate.value)
        return Finding(code, where, measure, Way.NAIVE, basis, estimate, NO_TEST, effect, says, note)

    mean = float(words.mean())
    error = clustered_error((words - mean) / len(words), corpus.clusters)
    estimate = cut(interval(mean, error, corpus.clusters.n - 1))
    note = "" if estimate.low is not None else NO_INTERVAL
    quartiles = (
        make_finding(measure, Estimate(float(np.quantile(words, at)), None, None), name)
        for measure, at, name in _QUARTILES
    )
    return _Lengths(label, heading, tuple(quartiles), make_finding(Measure.MEAN, estimate, "mean", note))


def _in_words(things: str, lengths: _Lengths) -> str:
    low, middle, high = (found.estimate.value for found in lengths.quartiles)
    return f"Half of the {things} have between {low:,.0f} and {high:,.0f} words, with {middle:,.0f} in the middle."


def _table(material: Material, things: str, lengths: Sequence[_Lengths]) -> ReportTable:
    findings = tuple(found for each in lengths for found in each.findings)
    return ReportTable(
        name=f"text-length-{things}",
        pair=f"text-length-{things}",
        way=None,
        title=f"Words of {things}",
        caption=(
            f"How many words {things} have: quartiles, and means with 95% intervals{errors(material.clustered_by)}."
            " Codes are found or not as the model says (naive); differences, corrected with gold where there is any,"
            " are in a table of their own."
        ),
        columns=tuple(Column(title=title) for title in _COLUMNS),
        rows=tuple(
            Row(
                label=each.label,
                group=each.heading,
                cells=(
                    Cell(text=f"{each.mean.basis.n:,}"),
                    *(plain_cell(found, digits=0) for found in each.quartiles),
                    plain_cell(each.mean, digits=1),
                    interval_cell(each.mean, digits=1),
                ),
            )
            for each in lengths
        ),
        findings=findings,
        notes=notes_of(findings, material.names),
    )


def _methods(material: Material, done: Sequence[str]) -> Sequence[str]:
    return (
        "Lengths are words between white space, as quartiles and means. Differences in mean length between items with"
        f" and without each code are given by community{errors(material.clustered_by)}.",
    )


KINDS = (
    SectionKind(
        id="text-length",
        title="How long texts are",
        order=60,
        compute=text_length,
        tables="quartiles and mean of words by community, with each code and without; differences with t",
        figures="dots by community",
        needs=("words",),
        methods=Methods(say=_methods, family="differences in words over all codes and communities"),
    ),
)
