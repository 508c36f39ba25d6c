"""Of all that is found in a community, how much is each code."""

from collections.abc import Sequence
from functools import partial

from analysis.distribution import distribution
from analysis.report.by_community import community_panels
from analysis.report.cells import NO_CELL, notes_of, plain_cell
from analysis.report.charts import IntervalChart, drawn_ways
from analysis.report.content import Column, ReportTable, Row, Section
from analysis.report.material import Material, PartMaterial
from analysis.report.missing import Missing
from analysis.report.registry import Methods, SectionKind
from analysis.report.wording import of_labels, ways_in_words
from analysis.values import Finding, Way


def distribution_section(material: Material, kind: SectionKind) -> Section:
    missing = Missing()
    tables: list[ReportTable] = []
    charts = []
    for part in material.parts:
        found = _findings_of(part, missing)
        tables += [_table(material, part, way, findings) for way, findings in found.items()]
        if found:
            charts.append(_chart(material, part, drawn_ways(found)))
    return Section(
        name=kind.id,
        title=kind.title,
        about=(
            "Of everything that is found in a community, the part that is each code. The parts of a community add up"
            " to 100%, so that communities where much is found can be set beside those where little is."
        ),
        tables=tuple(tables),
        charts=tuple(charts),
        missing=missing.sentences,
    )


def _findings_of(part: PartMaterial, missing: Missing) -> dict[Way, Sequence[Finding]]:
    """With a correction only where all codes have gold: else the parts would be of another whole."""
    found: dict[Way, Sequence[Finding]] = {}
    for way, corpus in part.found.items():
        if len(corpus.codes) < len(part.found[Way.NAIVE].codes):
            missing.say(f"Corrected parts of what is found in {part.things} need gold for all codes.")
            continue
        made = missing.attempt(
            f"Parts of what is found in {part.things}", partial(distribution, corpus, way=way)
        )
        if made:
            found[way] = made
    return found


def _table(material: Material, part: PartMaterial, way: Way, findings: Sequence[Finding]) -> ReportTable:
    communities = material.ordered({found.where for found in findings})
    at = {(found.code, found.where): found for found in findings}
    pair = f"distribution-{part.things}"
    return ReportTable(
        name=f"{pair}-{way.value}",
        pair=pair,
        way=way,
        title=f"Parts of all that is found in {part.things}",
        caption=(
            f"Of all that is found in the {part.things} of a community, how much is each code, in percent."
            f" {of_labels(way)}"
        ),
        columns=tuple(Column(title=name) for name in communities),
        rows=tuple(
            Row(
                label=material.name(code),
                group=material.heading(code, part.things),
                cells=tuple(
                    plain_cell(at[code, name], in_percent=True) if (code, name) in at else NO_CELL
                    for name in communities
                ),
            )
            for code in dict.fromkeys(found.code for found in findings)
        ),
        findings=tuple(findings),
        notes=notes_of(findings, material.names),
    )


def _chart(material: Material, part: PartMaterial, found: dict[Way, Sequence[Finding]]) -> IntervalChart:
    return IntervalChart(
        name=f"distribution-{part.things}",
        title=f"What is found in {part.things}",
        caption=(
            f"Of all that is found in the {part.things} of a community, how much is each code. {material.whiskers}"
            f" {ways_in_words(tuple(found))}{material.shown_note(part.things)}"
        ),
        axis="Part of all that is found",
        unit="percent",
        panels=community_panels(material, found, things=part.things),
    )


KINDS = (
    SectionKind(
        id="distribution",
        title="What is found where",
        order=30,
        compute=distribution_section,
        tables="parts of all that is found in a community",
        figures="dots by community",
        methods=Methods(
            say=lambda material, done: ["Distributions are shares of all that is found in a community."]
        ),
    ),
)
