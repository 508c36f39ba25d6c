"""How often each code is found in all, as the model says and as gold corrects it, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import polars as pl

from analysis.labelled import LabelledCorpus
from analysis.prevalence import prevalence
from analysis.report.cells import NO_CELL, interval_cell, notes_of, plain_cell, weight_cell
from analysis.report.charts import IntervalChart, Mark, Panel, Series, drawn_ways, mark_of
from analysis.report.content import Cell, Column, ReportTable, Row, Section
from analysis.report.headlines import may_be_headline
from analysis.report.material import Material, PartMaterial
from analysis.report.missing import Missing
from analysis.report.registry import SectionKind
from analysis.report.wording import errors, in_order, way_name, ways_in_words
from analysis.values import MODEL_WAYS, Finding, Way
from analysis.words import percent

_EVERYWHERE = "the whole corpus"
_MOST_TOLD = 5
# By code, for each way that could be computed.
Shares = Mapping[Way, Mapping[str, Finding]]


def overall(material: Material, kind: SectionKind) -> Section:
    missing = Missing()
    found = [(part, _shares(part, missing)) for part in material.parts]
    found = [(part, shares) for part, shares in found if shares]
    if material.parts and not found:
        missing.say("No code can be counted as found or not, so that there are no shares.")
    apart = [each for _, shares in found for each in _what_gold_changes(shares)]
    return Section(
        name=kind.id,
        title=kind.title,
        about="The share of all items in which a code is found, whatever their community.",
        sentences=(
            *(words for _, words in apart),
            *(words for part, shares in found for words in _where_gold_is_enough(material, part, shares)),
        ),
        headline=next((words for each, words in apart if may_be_headline(each, material.facts)), ""),
        tables=(_table(material, found),) if found else (),
        charts=(_chart(material, found),) if found else (),
        missing=missing.sentences,
    )


def _shares(part: PartMaterial, missing: Missing) -> Shares:
    made = {}
    for way, corpus in part.found.items():
        shares = missing.attempt(f"Shares in {part.things}", partial(_of_all, corpus, way))
        if shares:
            made[way] = shares
    return made


def _of_all(corpus: LabelledCorpus, way: Way) -> dict[str, Finding]:
    whole = replace(corpus, items=corpus.items.with_columns(pl.lit(_EVERYWHERE).alias("all_items")))
    return {row.code: row.shares[0] for row in prevalence(whole, by="all_items", way=way).rows}


def _what_gold_changes(shares: Shares) -> tuple[tuple[Finding, str], ...]:
    """The codes whose naive share lies outside the corrected interval, the farthest first."""
    corrected, naive = shares.get(Way.CORRECTED, {}), shares[Way.NAIVE]
    apart = []
    for code, found in corrected.items():
        said, value = naive[code].estimate.value, found.estimate.value
        low, high = found.estimate.low, found.estimate.high
        if said is None or value is None or low is None or high is None or low <= said <= high:
            continue
        words = f"{found.sentence} The model alone says {percent(said)}, which lies outside that interval."
        apart.append((abs(said - value), found, words))
    ranked = sorted(apart, key=lambda each: (each[0], each[2]), reverse=True)
    return tuple((found, words) for _, found, words in ranked[:_MOST_TOLD])


def _where_gold_is_enough(material: Material, part: PartMaterial, shares: Shares) -> tuple[str, ...]:
    """The codes to which the model adds nothing."""
    corrected = shares.get(Way.CORRECTED, {})
    names = [f"“{material.name(code)}”" for code, found in corrected.items() if found.weight == 0]
    if not names:
        return ()
    return (
        f"The model does not help with the share of {in_order(names)} in {part.things}: it errs so much there that the"
        " corrected estimate is that of gold alone.",
    )


def _table(material: Material, found: Sequence[tuple[PartMaterial, Shares]]) -> ReportTable:
    ways = [way for way in Way if any(way in shares for _, shares in found)]
    columns = [Column(title=title, group=way_name(way)) for way in ways for title in _titles(way)]
    numbers = in_order([f"{len(part.corpus):,} {part.things}" for part, _ in found])
    findings = tuple(each for _, shares in found for way in shares for each in shares[way].values())
    return ReportTable(
        name="shares",
        pair="shares",
        way=None,
        title="Shares of codes",
        caption=(
            f"Shares of codes in {numbers}, in percent, with 95% intervals{errors(material.clustered_by)}:"
            " naive, which takes the model's labels as they are, from gold alone, and corrected, where both are put"
            " together; λ says how far it leans on the model, from 0, gold alone, to 1."
        ),
        columns=tuple(columns),
        rows=tuple(
            Row(
                label=material.name(code),
                group=material.heading(code, part.things),
                cells=tuple(cell for way in ways for cell in _cells(shares.get(way, {}).get(code), way)),
            )
            for part, shares in found
            for code in shares[Way.NAIVE]
        ),
        findings=findings,
        notes=notes_of(findings, material.names),
    )


def _titles(way: Way) -> tuple[str, ...]:
    return ("%", "95% interval", "λ") if way is Way.CORRECTED else ("%", "95% interval")


def _cells(found: Finding | None, way: Way) -> tuple[Cell, ...]:
    if found is None:
        return (NO_CELL,) * len(_titles(way))
    cells = plain_cell(found, in_percent=True), interval_cell(found, in_percent=True)
    return (*cells, weight_cell(found)) if way is Way.CORRECTED else cells


def _chart(material: Material, found: Sequence[tuple[PartMaterial, Shares]]) -> IntervalChart:
    drawn = [way for way in material.ways if way in MODEL_WAYS]
    return IntervalChart(
        name="shares",
        title="Shares of codes",
        caption=f"Share of items in which each code is found. {material.whiskers} {ways_in_words(drawn)}",
        axis="Share found",
        unit="percent",
        panels=tuple(_panel(material, part, shares) for part, shares in found),
    )


def _panel(material: Material, part: PartMaterial, shares: Shares) -> Panel:
    codes = list(shares[Way.NAIVE])
    return Panel(
        title=part.things.capitalize(),
        labels=tuple(material.label(code) for code in codes),
        series=tuple(
            Series(
                name="",
                way=way,
                marks=tuple(mark_of(each[code]) if code in each else Mark(value=None) for code in codes),
            )
            for way, each in drawn_ways(shares).items()
        ),
    )


KINDS = (
    SectionKind(
        id="overall",
        title="How often each code is found",
        order=10,
        compute=overall,
        tables="share of all items, naive, from gold alone and corrected, with λ",
        figures="dots with whiskers",
        is_main=True,
    ),
)
