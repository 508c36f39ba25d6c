"""The sections of a report, a module each: from the material to sentences, tables and charts."""

from collections.abc import Callable, Iterator
from functools import partial

from analysis.report.content import Section
from analysis.report.drawable import drawable
from analysis.report.material import Material
from analysis.report.sections.by_group import by_group
from analysis.report.sections.course_content import SINCE_JOINING
from analysis.report.sections.courses import after_joining, over_calendar
from analysis.report.sections.distribution import distribution_section
from analysis.report.sections.groupings import COMMUNITIES, PLATFORMS, TOPICS
from analysis.report.sections.outcomes import ACCEPTED, ANSWERED, REPLIES, outcome_section
from analysis.report.sections.overall import overall
from analysis.report.sections.together import post_to_reply, within


def sections_of(material: Material) -> Iterator[Section]:
    """In the order in which a reader asks, and only those that were asked for."""
    wanted = material.options.sections
    for name, make in _makers(material):
        if not wanted or name in wanted:
            yield drawable(make())


def _makers(material: Material) -> Iterator[tuple[str, Callable[[], Section]]]:
    yield "overall", partial(overall, material)
    for grouping in (PLATFORMS, TOPICS, COMMUNITIES):
        yield grouping.plural, partial(by_group, material, grouping)
    yield "distribution", partial(distribution_section, material)
    for part in material.parts:
        yield f"together-{part.things}", partial(within, material, part)
    yield "post-to-reply", partial(post_to_reply, material)
    if material.posts:
        yield REPLIES.slug, partial(outcome_section, material, REPLIES)
    if material.replies:
        for followed in (ANSWERED, ACCEPTED):
            yield followed.slug, partial(outcome_section, material, followed)
    yield "over-time", partial(over_calendar, material)
    if material.options.joined:
        yield SINCE_JOINING, partial(after_joining, material, material.options.joined)
