"""How codes change: over the calendar, and since authors joined where that is asked for."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import cast

from analysis.labelled import LabelledCorpus
from analysis.over_time import Course, over_time, since_joining
from analysis.report.content import Section
from analysis.report.material import Material, PartMaterial
from analysis.report.missing import Missing
from analysis.report.sections.course_content import (
    FAMILY,
    SINCE_JOINING,
    Courses,
    course_chart,
    course_table,
)
from analysis.report.telling import clearest, in_each_part
from analysis.values import Way

_DAYS_FOR_YEARS, _DAYS_FOR_QUARTERS = 4 * 365, 365
Asked = Callable[[LabelledCorpus, Way], tuple[Course, ...]]


def over_calendar(material: Material) -> Section:
    missing, every = Missing(), material.options.every

    def asked(corpus: LabelledCorpus, way: Way) -> tuple[Course, ...]:
        return over_time(corpus, way=way, every=every or period_of(corpus))

    made = [(part, _courses(part, missing, asked, ("created",))) for part in material.parts]
    return _section(material, made, missing, "over-time", "How codes change over time")


def after_joining(material: Material, joined: tuple[datetime, datetime]) -> Section:
    """Of those who joined from and until. Errors are clustered by author."""
    missing = Missing()

    def asked(corpus: LabelledCorpus, way: Way) -> tuple[Course, ...]:
        return since_joining(corpus, joined=joined, way=way)

    made = [(part, _courses(part, missing, asked, ("created", "author"))) for part in material.parts]
    return _section(material, made, missing, SINCE_JOINING, "How authors change after they joined")


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


def _section(
    material: Material,
    made: Sequence[tuple[PartMaterial, Courses]],
    missing: Missing,
    name: str,
    title: str,
) -> Section:
    kept = [(part, found) for part, found in made if found]
    best = [found.get(Way.CORRECTED) or found[Way.NAIVE] for _, found in kept]
    told = clearest(
        [course.trend for courses in best for course in courses],
        facts=material.facts,
        over=in_each_part(FAMILY, len(kept)),
        what="trends",
    )
    return Section(
        name=name,
        title=title,
        about=(
            "The mean of each code in each period, and the slope of the line through all items. Those who wrote early"
            " are not those who wrote late: a change may be one of people, or of who is there."
        ),
        sentences=told.sentences,
        headline=told.headline,
        tables=tuple(course_table(material, name, part, found) for part, found in kept),
        charts=tuple(course_chart(material, name, part, found) for part, found in kept),
        missing=missing.sentences,
    )
