"""How codes change: over the calendar, and since authors joined where that is asked for."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import cast

from analysis.labelled import LabelledCorpus
from analysis.over_time import Course, over_time, since_joining
from analysis.report.cells import NO_CELL, NOTHING, cell_of, format_number, interval_cell, notes_of
from analysis.report.charts import LineChart, Mark, Panel, Series, drawn_ways, mark_of
from analysis.report.codes import has_ticks
from analysis.report.content import Cell, Column, ReportTable, Row, Section
from analysis.report.headlines import in_each_part, tell_clearest
from analysis.report.material import Material, PartMaterial
from analysis.report.missing import Missing
from analysis.report.registry import Methods, SectionKind
from analysis.report.wording import intervals, stars_say, way_name
from analysis.values import Finding, Way

_DAYS_FOR_YEARS, _DAYS_FOR_QUARTERS = 4 * 365, 365
FEW_ITEMS = 30
SINCE_JOINING = "since-joining"
FAMILY = "the codes"
Courses = Mapping[Way, Sequence[Course]]
Asked = Callable[[LabelledCorpus, Way], tuple[Course, ...]]


def over_calendar(material: Material, kind: SectionKind) -> Section:
    missing, every = Missing(), material.options.every

    def asked(corpus: LabelledCorpus, way: Way) -> tuple[Course, ...]:
        return over_time(corpus, way=way, every=every or period_of(corpus))

    return _section(material, kind, asked, missing)


def after_joining(material: Material, kind: SectionKind) -> Section:
    """Of those who joined from and until. Errors are clustered by author."""
    missing, joined = Missing(), material.options.joined
    assert joined

    def asked(corpus: LabelledCorpus, way: Way) -> tuple[Course, ...]:
        return since_joining(corpus, joined=joined, way=way)

    return _section(material, kind, asked, missing)


def period_of(corpus: LabelledCorpus) -> str:
    """Years for four years and more, quarters for one, else months."""
    created = corpus.items["created"]
    days = (cast(datetime, created.max()) - cast(datetime, created.min())).days
    return "1y" if days >= _DAYS_FOR_YEARS else "1q" if days >= _DAYS_FOR_QUARTERS else "1mo"


def _courses(part: PartMaterial, missing: Missing, asked: Asked, needed: Sequence[str]) -> Courses:
    found: dict[Way, Sequence[Course]] = {}
    if not all(missing.has(part.corpus, column, "Change over time") for column in needed):
        return found
    for way, corpus in part.values.items():
        for column in needed:
            corpus = missing.known(corpus, column)
        made = missing.attempt(
            f"Change over time in {part.things} ({way.value})", partial(asked, corpus, way)
        )
        if made:
            found[way] = made
    return found


def _section(material: Material, kind: SectionKind, asked: Asked, missing: Missing) -> Section:
    made = [(part, _courses(part, missing, asked, kind.needs)) for part in material.parts]
    kept = [(part, found) for part, found in made if found]
    best = [found.get(Way.CORRECTED) or found[Way.NAIVE] for _, found in kept]
    told = tell_clearest(
        [course.trend for courses in best for course in courses],
        facts=material.facts,
        over=in_each_part(FAMILY, len(kept)),
        what="trends",
    )
    return Section(
        name=kind.id,
        title=kind.title,
        about=(
            "The mean of each code in each period, and the slope of the line through all items. Those who wrote early"
            " are not those who wrote late: a change may be one of people, or of who is there."
        ),
        sentences=told.sentences,
        headline=told.headline,
        tables=tuple(course_table(material, kind.id, part, found) for part, found in kept),
        charts=tuple(course_chart(material, kind.id, part, drawn_ways(found)) for part, found in kept),
        missing=missing.sentences,
    )


def course_table(material: Material, name: str, part: PartMaterial, found: Courses) -> ReportTable:
    """The trends; the findings have the periods too."""
    titles = ("Change a year", "95% interval", "Over all")
    findings = tuple(each for courses in found.values() for course in courses for each in course.findings)
    trends = [course.trend for courses in found.values() for course in courses]
    codes = dict.fromkeys(course.code for courses in found.values() for course in courses)
    apart = ", each way apart" if len(found) > 1 else ""
    return ReportTable(
        name=f"{name}-{part.things}",
        pair=f"{name}-{part.things}",
        way=None,
        title=f"Trends in {part.things}",
        caption=(
            f"Change of the mean of each code in {len(part.corpus):,} {part.things} a year, in percentage points (of"
            " codes with levels: in levels), with 95% intervals whose errors are clustered, and over all the time in"
            f" percent of where the line begins. {stars_say(FAMILY + apart)}"
        ),
        columns=tuple(Column(title=title, group=way_name(way)) for way in found for title in titles),
        rows=tuple(
            Row(
                label=material.name(code),
                group=material.heading(code, part.things),
                cells=tuple(cell for way in found for cell in _cells(part, found[way], code)),
            )
            for code in codes
        ),
        findings=findings,
        notes=notes_of(trends, material.names),
    )


def _cells(part: PartMaterial, courses: Sequence[Course], code: str) -> tuple[Cell, Cell, Cell]:
    trend = next((course.trend for course in courses if course.code == code), None)
    if trend is None:
        return NO_CELL, NO_CELL, NO_CELL
    in_percent = has_ticks(part.corpus, code)
    relative = trend.effect.value
    over_all = Cell(text=NOTHING, is_muted=True)
    if relative is not None:
        over_all = Cell(text=f"{format_number(relative, 0, in_percent=True)}%")
    return (
        cell_of(trend, digits=2, in_percent=in_percent),
        interval_cell(trend, digits=2, in_percent=in_percent),
        over_all,
    )


def course_chart(material: Material, name: str, part: PartMaterial, found: Courses) -> LineChart:
    codes = dict.fromkeys(course.code for courses in found.values() for course in courses)
    are_ticks = all(has_ticks(part.corpus, code) for code in codes)
    lines = (
        ""
        if len(found) < 2
        else " Grey lines take the model's labels as they are (naive); coloured ones are corrected with gold."
    )
    by = "author" if name == SINCE_JOINING else material.clustered_by
    return LineChart(
        name=f"{name}-{part.things}",
        title=f"Change in {part.things}",
        caption=f"Mean of each code in {part.things} by period. {intervals('Bands', by)}{lines}"
        f" Periods with fewer than {FEW_ITEMS} {part.things}, or without an interval, are left out.",
        axis="Share found" if are_ticks else "Mean level",
        unit="percent" if are_ticks else "number",
        panels=tuple(_panel(material, found, code) for code in codes),
    )


def _enough(periods: Sequence[Finding]) -> Sequence[Finding]:
    """Without periods of a few items, such as the first days of a last year, which would hide the others; all of them
    where none has more."""
    kept = [each for each in periods if each.basis.n >= FEW_ITEMS and each.estimate.low is not None]
    return kept or periods


def _panel(material: Material, found: Courses, code: str) -> Panel:
    of_code = {
        way: next((course for course in courses if course.code == code), None)
        for way, courses in found.items()
    }
    known = {way: course for way, course in of_code.items() if course}
    wanted = {each.where for course in known.values() for each in _enough(course.periods)}
    every = dict.fromkeys(each.where for course in known.values() for each in course.periods)
    labels = tuple(label for label in every if label in wanted)
    series = []
    for way, course in known.items():
        at = {each.where: mark_of(each) for each in _enough(course.periods)}
        marks = tuple(at.get(label, Mark(value=None)) for label in labels)
        series.append(Series(name="", way=way, marks=marks))
    return Panel(title=material.label(code), labels=labels, series=tuple(series))


def _methods(material: Material, done: Sequence[str]) -> Sequence[str]:
    said = []
    if "over-time" in done:
        said.append("Change over time is the slope of the line through all items, beside means by period.")
    if SINCE_JOINING in done:
        said.append(
            "Change since authors joined counts from their first item, with errors clustered by author."
        )
    return said


METHODS = Methods(say=_methods, family="trends over the codes")
KINDS = (
    SectionKind(
        id="over-time",
        title="How codes change over time",
        order=70,
        compute=over_calendar,
        tables="change a year with its interval",
        figures="lines with bands",
        needs=("created",),
        methods=METHODS,
    ),
    SectionKind(
        id=SINCE_JOINING,
        title="How authors change after they joined",
        order=71,
        compute=after_joining,
        tables="change a year with its interval",
        figures="lines with bands",
        needs=("created", "author"),
        asked_by="joined",
        methods=METHODS,
    ),
)
