"""What follows: more replies, an answer, acceptance. Differences as papers print them, and other things equal."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from analysis.differences import DifferenceTable, differences
from analysis.outcomes import Outcome
from analysis.report.charts import IntervalChart
from analysis.report.content import ReportTable, Section
from analysis.report.material import Material, PartMaterial
from analysis.report.missing import Missing
from analysis.report.sections.other_things_equal import adjusted_tables
from analysis.report.sections.outcome_tables import FAMILY, difference_table
from analysis.report.sections.panels import community_panels
from analysis.report.telling import Told, clearest
from analysis.report.wording import ways_in_words
from analysis.values import Way


@dataclass(frozen=True, slots=True)
class Followed:
    """An outcome as a section of a report; `slug` begins the names of its files."""

    outcome: Outcome
    slug: str
    title: str
    axis: str


REPLIES = Followed(Outcome.N_REPLIES, "replies", "Which posts get more replies", "More replies")
ANSWERED = Followed(Outcome.ANSWERED, "answered", "Which replies the poster answers", "Answered more often")
ACCEPTED = Followed(Outcome.ACCEPTED, "accepted", "Which replies the poster accepts", "Accepted more often")


def outcome_section(material: Material, followed: Followed) -> Section:
    missing = Missing()
    part = material.posts if followed.outcome is Outcome.N_REPLIES else material.replies
    plain: Mapping[Way, DifferenceTable] = {}
    tables: tuple[ReportTable, ...] = ()
    if part and missing.has(part.corpus, followed.outcome.value, followed.title):
        plain = _differences(part, followed, missing)
        tables = tuple(difference_table(material, followed.slug, table) for table in plain.values())
        tables += adjusted_tables(material, part, followed.outcome, followed.slug, missing)
    best = plain.get(Way.CORRECTED) or plain.get(Way.NAIVE)
    told = (
        clearest([row.clustered for row in best.rows], facts=material.facts, over=FAMILY) if best else Told()
    )
    return Section(
        name=followed.slug,
        title=followed.title,
        about=(
            "Items with a code are set against those without it, in each community: as they are, with Welch's t as"
            " papers print it, and with what else is known about them held equal. Neither says why they differ."
        ),
        sentences=told.sentences,
        headline=told.headline,
        tables=tables,
        charts=(_chart(material, followed, part, plain),) if part and plain else (),
        missing=missing.sentences,
    )


def _differences(part: PartMaterial, followed: Followed, missing: Missing) -> dict[Way, DifferenceTable]:
    found = {}
    for way, corpus in part.found.items():
        table = missing.attempt(
            f"{followed.title} ({way.value})",
            partial(differences, corpus, outcome=followed.outcome, way=way),
        )
        if table:
            found[way] = table
    return found


def _chart(
    material: Material, followed: Followed, part: PartMaterial, plain: Mapping[Way, DifferenceTable]
) -> IntervalChart:
    is_share = followed.outcome.is_share
    clustered = {way: [row.clustered for row in table.rows] for way, table in plain.items()}
    points = " (points)" if is_share else ""
    return IntervalChart(
        name=f"differences-{followed.slug}",
        title=followed.title,
        caption=(
            f"Difference in “{followed.outcome.in_words}” between {part.things} with each code and without, by"
            f" community. {material.whiskers} {ways_in_words(tuple(plain))}"
            f"{material.shown_note(part.things)}"
        ),
        axis=f"{followed.axis}{points}",
        unit="points" if is_share else "number",
        panels=community_panels(material, clustered, things=part.things),
        reference=0.0,
    )
