"""What follows: more replies, an answer, acceptance. Differences as papers print them, and other things equal."""

from collections.abc import Mapping, Sequence
from functools import partial

from analysis.controls import Control
from analysis.differences import DifferenceTable
from analysis.labelled import LabelledCorpus
from analysis.outcomes import Outcome
from analysis.regressions import Model, regressions, regressions_by
from analysis.report.by_community import (
    compute_differences,
    difference_chart,
    difference_table,
    rows_by_community,
    tell_differences,
    two_a_community,
)
from analysis.report.cells import NO_CELL, NOTHING, format_number, notes_of
from analysis.report.content import Cell, Column, ReportTable, Row, Section
from analysis.report.material import Material, PartMaterial, knows
from analysis.report.missing import Missing
from analysis.report.registry import Methods, SectionKind
from analysis.report.wording import errors, in_order, of_labels, stars_say
from analysis.tables import stars
from analysis.values import Finding, Way, odds_ratio
from codebook.schema import Part


def outcome_section(material: Material, kind: SectionKind, *, outcome: Outcome, axis: str) -> Section:
    """`kind.id` begins the names of its files."""
    missing = Missing()
    part = material.posts if kind.part is Part.POST else material.replies
    plain: Mapping[Way, DifferenceTable] = {}
    tables: tuple[ReportTable, ...] = ()
    if part and missing.has(part.corpus, outcome.value, kind.title):
        plain = compute_differences(part, outcome, kind.title, missing)
        tables = tuple(difference_table(material, kind.id, table) for table in plain.values())
        tables += adjusted_tables(material, part, outcome, kind.id, missing)
    told = tell_differences(material, plain)
    return Section(
        name=kind.id,
        title=kind.title,
        about=(
            "Items with a code are set against those without it, in each community: as they are, with Welch's t as"
            " papers print it, and with what else is known about them held equal. Neither says why they differ."
        ),
        sentences=told.sentences,
        headline=told.headline,
        tables=tables,
        charts=(difference_chart(material, part, plain, slug=kind.id, title=kind.title, axis=axis),)
        if part and plain
        else (),
        missing=missing.sentences,
    )


_EVERYWHERE = "All communities"


def adjusted_tables(
    material: Material, part: PartMaterial, outcome: Outcome, slug: str, missing: Missing
) -> tuple[ReportTable, ...]:
    held = _controls(part.corpus, missing)
    found = (
        missing.attempt(
            f"Regressions ({way.value})", partial(_table, material, corpus, outcome, slug, way, held)
        )
        for way, corpus in part.found.items()
    )
    return tuple(table for table in found if table)


def _controls(corpus: LabelledCorpus, missing: Missing) -> tuple[Control, ...]:
    """What is known of all items."""
    known = []
    for control in Control:
        if knows(corpus, control):
            known.append(control)
        else:
            missing.say(
                f"Regressions do not hold {control.value} equal, which is not known of all {corpus.things}."
            )
    return tuple(known)


def _table(
    material: Material,
    corpus: LabelledCorpus,
    outcome: Outcome,
    slug: str,
    way: Way,
    held: tuple[Control, ...],
) -> ReportTable:
    over_all = regressions(corpus, outcome=outcome, way=way, controls=held)
    odds: Sequence[Finding] = ()
    if outcome.is_share:
        odds = regressions(corpus, outcome=outcome, way=way, model=Model.LOGISTIC, controls=held)
    inside = tuple(control for control in held if control is not Control.COMMUNITY)
    in_each = regressions_by(corpus, outcome=outcome, way=way, controls=inside)
    communities = material.ordered({found.where for found in in_each})
    findings = (*over_all, *odds, *in_each)
    equal = in_order([control.value for control in held]) if held else "nothing else"
    apart = ", of odds ratios apart" if odds else ""
    over = (
        f"the codes for all communities together{apart}, and over all codes and communities for single ones"
    )
    unit = ", in percentage points, with odds ratios from a logistic regression" if odds else ""
    return ReportTable(
        name=f"regressions-{slug}-{way.value}",
        pair=f"regressions-{slug}",
        way=way,
        title=f"“{outcome.in_words}”, other things equal",
        caption=(
            f"Linear regressions of “{outcome.in_words}” on each code{unit}, with {equal} held"
            f" equal{errors(material.clustered_by)}; t in brackets. {of_labels(way)} {stars_say(over)}"
        ),
        columns=(
            *two_a_community([_EVERYWHERE]),
            *(
                (
                    Column(title="Odds ratio", group=_EVERYWHERE),
                    Column(title="95% interval", group=_EVERYWHERE),
                )
                if odds
                else ()
            ),
            *two_a_community(communities),
        ),
        rows=_rows(material, over_all, odds, in_each, communities, corpus.things),
        findings=findings,
        notes=notes_of(findings, material.names),
    )


def _rows(
    material: Material,
    over_all: Sequence[Finding],
    odds: Sequence[Finding],
    in_each: Sequence[Finding],
    communities: Sequence[str],
    things: str,
) -> tuple[Row, ...]:
    first = rows_by_community(material, over_all, ("",), things)
    last = rows_by_community(material, in_each, communities, things)
    between: Sequence[tuple[Cell, ...]] = [_odds_cells(found) for found in odds] or [()] * len(first)
    return tuple(
        Row(label=one.label, group=one.group, cells=(*one.cells, *middle, *other.cells))
        for one, middle, other in zip(first, between, last, strict=True)
    )


def _odds_cells(found: Finding) -> tuple[Cell, Cell]:
    value, low, high = found.estimate.value, found.estimate.low, found.estimate.high
    tip = f"{found.sentence} {found.note}".strip()
    if value is None:
        return Cell(text=NOTHING, tip=tip, is_muted=True), NO_CELL
    ratio = Cell(text=format_number(odds_ratio(value), 2), stars=stars(found.test.p_holm), tip=tip)
    if low is None or high is None:
        return ratio, NO_CELL
    return ratio, Cell(text=f"[{format_number(odds_ratio(low), 2)}, {format_number(odds_ratio(high), 2)}]")


_IN_METHODS = {
    "replies": "the number of replies to posts",
    "answered": "whether the poster answered a reply",
    "accepted": "whether the poster accepted a reply",
}


def _methods(material: Material, done: Sequence[str]) -> Sequence[str]:
    logistic = " and logistic" if {"answered", "accepted"} & set(done) else ""
    return (
        material.on_naive(
            f"Items with and without each code were compared by {in_order([_IN_METHODS[name] for name in done])} with"
            f" Welch's t-test and Cohen's d in each community, and by linear{logistic} regressions that hold"
            f" {material.held_equal} equal{errors(material.clustered_by)}."
        ),
        "Neither shows that one causes the other.",
    )


METHODS = Methods(
    say=_methods,
    family="differences and regressions by community over all codes and communities, regressions over all communities"
    " over the codes",
)
KINDS = tuple(
    SectionKind(
        id=slug,
        title=title,
        order=order,
        compute=partial(outcome_section, outcome=outcome, axis=axis),
        tables=(
            "Welch's t as papers print it; regressions with length, time and community held equal, for shares with odds"
            " ratios"
        ),
        figures="dots by community",
        needs=(outcome.value,),
        part=part,
        methods=METHODS,
        is_main=True,
    )
    for order, part, outcome, slug, title, axis in (
        (50, Part.POST, Outcome.N_REPLIES, "replies", "Which posts get more replies", "More replies"),
        (
            51,
            Part.REPLY,
            Outcome.ANSWERED,
            "answered",
            "Which replies the poster answers",
            "Answered more often",
        ),
        (
            52,
            Part.REPLY,
            Outcome.ACCEPTED,
            "accepted",
            "Which replies the poster accepts",
            "Accepted more often",
        ),
    )
)
