"""The sections of a report, a module each: from the material to sentences, tables and charts."""

from collections.abc import Iterator

from analysis.report.content import Section
from analysis.report.material import Material
from analysis.report.sections.by_group import by_group
from analysis.report.sections.courses import after_joining, over_calendar
from analysis.report.sections.distribution import distribution_section
from analysis.report.sections.groupings import COMMUNITIES, PLATFORMS, TOPICS
from analysis.report.sections.outcomes import ACCEPTED, ANSWERED, REPLIES, outcome_section
from analysis.report.sections.overall import overall
from analysis.report.sections.together import post_to_reply, within


def all_sections(material: Material) -> Iterator[Section]:
    """In the order in which a reader asks."""
    yield overall(material)
    for grouping in (PLATFORMS, TOPICS, COMMUNITIES):
        yield by_group(material, grouping)
    yield distribution_section(material)
    for part in material.parts:
        yield within(material, part)
    yield post_to_reply(material)
    if material.posts:
        yield outcome_section(material, REPLIES)
    if material.replies:
        for followed in (ANSWERED, ACCEPTED):
            yield outcome_section(material, followed)
    yield over_calendar(material)
    joined = after_joining(material)
    if joined:
        yield joined
