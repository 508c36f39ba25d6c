"""From a labelled corpus to its report."""

from threadpoolctl import threadpool_limits

from analysis.report.content import Report
from analysis.report.given import ReportInput
from analysis.report.material import material_of
from analysis.report.options import ReportOptions
from analysis.report.sections.by_group import by_group
from analysis.report.sections.groupings import COMMUNITIES, PLATFORMS, TOPICS


def build_report(given: ReportInput, options: ReportOptions | None = None) -> Report:
    """What cannot be computed is said in its section, and never stops the others. On one thread, since sums by several
    end in other last digits."""
    options = options or ReportOptions()
    with threadpool_limits(1):
        material = material_of(given, options)
        sections = [by_group(material, grouping) for grouping in (PLATFORMS, TOPICS, COMMUNITIES)]
    return Report(
        title=options.title or f"{given.facts.study}: what the labels say",
        facts=given.facts,
        options=options,
        ways=material.ways,
        summary=(),
        sections=tuple(sections),
        methods=(),
        notes=material.notes,
    )
